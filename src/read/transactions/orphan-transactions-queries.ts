import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { Block } from '../../chain/block.ts';
import { type ChainEvent, eventCodes } from '../../chain/event.ts';
import { packCost } from '../../chain/execution-cost.ts';
import { burnCall } from '../../chain/pox/burn-call.ts';
import { feeOf, targetOf } from '../../chain/pox/signer.ts';
import { payloadIds, type Receipt, statusCodes } from '../../chain/transaction.ts';
import type { Sql } from '../../db/client.ts';
import { findLoggedBlock } from '../blocks/logged-blocks-queries.ts';
import { findInterfaceByName } from '../contracts/interfaces-queries.ts';
import type { EventRow } from '../events/events-queries.ts';
import type { EventRange, KnownTransaction } from './known-transaction-queries.ts';
import type { Transaction } from './transactions-queries.ts';

const anchored = 2_147_483_647;
const none = Buffer.alloc(0);

/**
 * A transaction that only orphaned blocks hold, as the newest of them has it; blocks that never were canonical count
 * only where requested.
 */
export async function findOrphanTransaction(
  sql: Sql,
  id: Uint8Array,
  range: EventRange,
  {
    side = false,
    blocks = new Map(),
    withoutInterface = false,
  }: { side?: boolean; blocks?: OrphanBlocks; withoutInterface?: boolean } = {},
): Promise<KnownTransaction | undefined> {
  const [orphan] = await sql<{ index_hash: Buffer }[]>`${newestOrphan(sql, sql`${id}`, side)}`;
  return orphan && (await readOrphanOf(sql, orphan.index_hash, id, range, { blocks, withoutInterface }));
}

/** The newest orphaned block that holds a transaction. */
export const newestOrphan = (sql: Sql, id: ReturnType<Sql>, side = false) => sql`
  select o.index_hash
  from orphan_transactions o
  join block_tree t on t.index_hash = o.index_hash
  where o.tx_id = ${id} ${side ? sql`` : sql`and not o.side`}
  order by t.height desc, t.event_id desc
  limit 1
`;

/** A transaction as the orphaned block of this index hash has it, which is read from the log. */
export async function readOrphanOf(
  sql: Sql,
  indexHash: Buffer,
  id: Uint8Array,
  range: EventRange,
  { blocks, withoutInterface }: { blocks: OrphanBlocks; withoutInterface: boolean },
): Promise<KnownTransaction | undefined> {
  const block = await readOnce(sql, indexHash, blocks);
  const receipt = block?.receipts.find(r => Buffer.compare(r.txId, id) === 0);
  if (!block || !receipt) return undefined;
  return {
    transaction: withoutInterface
      ? orphanTransactionRow(block, receipt)
      : await readOrphanTransaction(sql, block, receipt),
    events: orphanEvents(block, receipt).filter(
      ({ event_index: index, kind }) => kind !== eventCodes.unknown && inRange(index, range),
    ),
  };
}

/** Orphaned blocks that were read for one response, by their index hash. */
export type OrphanBlocks = Map<string, Block | undefined>;

/** Reads a block from the log unless this response has it already: many of its transactions may be of one block. */
async function readOnce(sql: Sql, indexHash: Buffer, blocks: OrphanBlocks): Promise<Block | undefined> {
  const key = indexHash.toString('hex');
  if (!blocks.has(key)) blocks.set(key, await findLoggedBlock(sql, { indexHash }));
  return blocks.get(key);
}

/** A transaction of an orphaned block that was read from the log. */
export async function readOrphanTransaction(sql: Sql, block: Block, receipt: Receipt): Promise<Transaction> {
  const target = receipt.transaction ? targetOf(receipt.transaction) : callOf(receipt)?.contract;
  const functions = target === undefined ? undefined : await findInterfaceByName(sql, principalToBytes(target));
  return { ...orphanTransactionRow(block, receipt), ...(functions && { functions }) };
}

/** The events of a transaction of an orphaned block that was read from the log. */
export const orphanEvents = ({ height }: Block, { events, txId }: Receipt): EventRow[] =>
  events.map((event, index) => orphanEventRow(event, index, height, txId));

const inRange = (index: number, { offset, limit }: EventRange) => index >= offset && index < offset + limit;

function orphanTransactionRow(block: Block, receipt: Receipt): Transaction {
  const { transaction, burnOperation, cost, microblock } = receipt;
  const call = callOf(receipt);
  const status: number = statusCodes[receipt.status as keyof typeof statusCodes] ?? 0;
  return {
    height: block.height,
    place: 0,
    tx_index: receipt.index,
    tx_id: Buffer.from(receipt.txId),
    type: transaction ? payloadIds[transaction.payload.type] : payloadIds[call ? 'contract_call' : 'token_transfer'],
    status,
    nonce: transaction?.auth.origin.nonce ?? 0n,
    fee: transaction ? feeOf(transaction) : 0n,
    target: 0,
    event_count: receipt.events.length,
    microblock: microblock ? Buffer.from(microblock.hash) : none,
    microblock_sequence: microblock?.sequence ?? anchored,
    cost: packCost(cost),
    result: Buffer.from(receipt.result),
    raw: Buffer.from(receipt.raw),
    vm_error: receipt.vmError ?? '',
    extras: status === 0 ? { status: receipt.status } : null,
    burn_target: call ? Buffer.from(principalToBytes(call.contract)) : null,
    block_hash: Buffer.from(block.hash),
    parent_hash: Buffer.from(block.parentHash),
    block_time: block.time,
    burn_height: block.burn.height,
    burn_time: block.burn.time,
    parent_burn_time: block.parentBurn.time,
    canonical: false,
    microblock_canonical: true,
    interface_version: null,
    ...(burnOperation && { burnOperation }),
  };
}

/** The contract call that a burn operation represents; the network follows from the version of the sender's address. */
const callOf = ({ burnOperation, events }: Receipt) =>
  burnOperation && burnCall(burnOperation, events, /^S[PM]/.test(burnOperation.sender));

function orphanEventRow(event: ChainEvent, index: number, height: number, txId: Uint8Array): EventRow {
  const asset = 'asset' in event ? event.asset.split('::') : [];
  const contract = asset[0] ?? ('contract' in event && event.contract !== '' ? event.contract : undefined);
  return {
    height,
    place: 0,
    event_index: index,
    kind: eventCodes[event.kind],
    tx_id: Buffer.from(txId),
    sender: event.kind === 'stx_lock' ? bytesOf(event.principal) : 'sender' in event ? bytesOf(event.sender) : null,
    recipient: 'recipient' in event ? bytesOf(event.recipient) : null,
    contract: contract === undefined ? null : bytesOf(contract),
    asset_name: asset[1] ?? null,
    amount: 'amount' in event ? event.amount.toString() : '0',
    value: eventValue(event),
  };
}

function eventValue(event: ChainEvent): Buffer {
  if (event.kind === 'stx_lock') return Buffer.from(String(event.unlockHeight));
  if (event.kind === 'stx_transfer') return Buffer.from(event.memo);
  return 'value' in event ? Buffer.from(event.value) : none;
}

const bytesOf = (principal: string) => Buffer.from(principalToBytes(principal));
