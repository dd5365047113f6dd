import { writeBitVector } from '@cairn-stacks/codec/block/bit-vector';
import { type NakamotoHeader, nakamotoBlockHash } from '@cairn-stacks/codec/block/nakamoto-block';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import { decodeAccepted, senderAddress, type Transaction } from '@cairn-stacks/codec/transaction/transaction';
import { Writer } from '@cairn-stacks/codec/writer';
import { array, type Json, MessageError, object, optionalInteger, optionalText, text } from '../../node/json.ts';

/** The sortition of a tenure, as far as a block message has it. */
export type Sortition = { burnHash: string; burnHeight: number; burnTime: number };

/** A transaction of a block and the result of executing it again. */
export type Replayed = { json: Json; transaction: Transaction };

/** A block as a node replays it. */
export type Replay = { id: string; transactions: Replayed[] };

/** Facts about the block below and the tenure from a message. */
export type Surroundings = {
  parentBlockHash: string;
  sortition: Sortition;
  parentSortition: Sortition;
  tenureHeight: number | undefined;
  minerTxId: string | undefined;
  unlockHeights: readonly (number | undefined)[];
};

const zeroHash = `0x${'0'.repeat(64)}`;
const noCost = { runtime: 0, read_count: 0, read_length: 0, write_count: 0, write_length: 0 };

/** Reads a replayed block; rejects one that the node could not reproduce. */
export function readReplay(value: unknown): Replay {
  const json = object(value, 'replayed block');
  if (json.valid_merkle_root === false) throw new MessageError('the node could not reproduce the block');
  return {
    id: bare(text(json, 'block_id')),
    transactions: array(json.transactions, 'transactions').map(value => {
      const item = object(value, 'transaction');
      return { json: item, transaction: decodeAccepted(Buffer.from(bare(text(item, 'hex')), 'hex')) };
    }),
  };
}

/**
 * The message a node would have posted for a block, from its header, a replay of it and its surroundings. What a tenure
 * starts with stays out: maturing rewards, the reward set, and everything that is not part of the block itself.
 */
export function messageOf(
  header: NakamotoHeader,
  { id, transactions }: Replay,
  around: Surroundings,
  interfaces: ReadonlyMap<string, unknown>,
): Json {
  const hash = toHex(nakamotoBlockHash(header));
  const problematic = new Map(header.problematicTransactions.map(({ index, category }) => [index, category]));
  const receipts = transactions.map((item, index) => receiptOf(item, index, interfaces, problematic.get(index)));
  const bits = new Writer(16);
  writeBitVector(bits, header.poxTreatment);
  return {
    block_hash: hash,
    index_block_hash: prefixed(id),
    block_height: Number(header.chainLength),
    block_time: Number(header.timestamp),
    consensus_hash: toHex(header.consensusHash),
    parent_block_hash: prefixed(around.parentBlockHash),
    parent_index_block_hash: toHex(header.parentBlockId),
    burn_block_hash: prefixed(around.sortition.burnHash),
    burn_block_height: around.sortition.burnHeight,
    burn_block_time: around.sortition.burnTime,
    parent_burn_block_hash: prefixed(around.parentSortition.burnHash),
    parent_burn_block_height: around.parentSortition.burnHeight,
    parent_burn_block_timestamp: around.parentSortition.burnTime,
    ...(around.tenureHeight !== undefined && { tenure_height: around.tenureHeight }),
    miner_txid: prefixed(around.minerTxId ?? zeroHash),
    parent_microblock: zeroHash,
    parent_microblock_sequence: 0,
    matured_miner_rewards: [],
    anchored_cost: receipts.reduce<CostJson>((sum, { execution_cost }) => addCost(sum, execution_cost as Json), noCost),
    confirmed_microblocks_cost: noCost,
    ...unlockHeightsJson(around.unlockHeights),
    signer_bitvec: bareHex(bits.finish()),
    signer_signature_hash: hash,
    miner_signature: toHex(header.minerSignature),
    signer_signature: header.signerSignatures.map(bareHex),
    reward_set: null,
    cycle_number: null,
    events: transactions.flatMap(eventsOf).map((event, event_index) => ({ ...event, event_index })),
    transactions: receipts,
  };
}

/** Whether a block starts a tenure: only a tenure change for a won sortition does; the others extend one. */
export const startsTenure = (transactions: readonly { transaction: Transaction }[]): boolean =>
  transactions.some(
    ({ transaction: { payload } }) => payload.type === 'tenure_change' && payload.cause === 'block_found',
  );

/** Contracts that a block deployed: their interfaces must be fetched separately. */
export function deploysOf({ transactions }: Replay): { txid: string; address: string; name: string }[] {
  return transactions.flatMap(({ json, transaction }) => {
    const { payload } = transaction;
    if (payload.type !== 'smart_contract' && payload.type !== 'versioned_smart_contract') return [];
    if (statusOf(json) !== 'success') return [];
    return [{ txid: prefixed(text(json, 'txid')), address: senderAddress(transaction), name: payload.name }];
  });
}

/** Events of a transaction; nodes number them but do not sort them. */
function eventsOf({ json }: Replayed): Json[] {
  return array(json.events ?? [], 'events')
    .map(event => object(event, 'event'))
    .sort((a, b) => (optionalInteger(a, 'event_index') ?? 0) - (optionalInteger(b, 'event_index') ?? 0))
    .map(event => ({ ...event, txid: prefixed(text(json, 'txid')), committed: json.post_condition_aborted !== true }));
}

function receiptOf(
  { json }: Replayed,
  index: number,
  interfaces: ReadonlyMap<string, unknown>,
  problematic: number | undefined,
): Json {
  const txid = prefixed(text(json, 'txid'));
  return {
    txid,
    tx_index: index,
    raw_tx: prefixed(text(json, 'hex')),
    raw_result: prefixed(text(json, 'result_hex')),
    status: problematic === undefined ? statusOf(json) : 'problematic_skipped',
    ...(problematic !== undefined && { problematic_skipped: problematic }),
    execution_cost: json.execution_cost ?? noCost,
    vm_error: optionalText(json, 'vm_error') ?? null,
    contract_interface: interfaces.get(txid) ?? null,
    burnchain_op: null,
    microblock_hash: null,
    microblock_sequence: null,
    microblock_parent_hash: null,
  };
}

/** Derived as the node derives it: post-conditions first, then the response. */
function statusOf(json: Json): string {
  if (json.post_condition_aborted === true) return 'abort_by_post_condition';
  return bare(text(json, 'result_hex')).startsWith('08') ? 'abort_by_response' : 'success';
}

const unlockHeightsJson = (heights: readonly (number | undefined)[]): Json =>
  Object.fromEntries(
    heights.flatMap((height, i) => (height === undefined ? [] : [[`pox_v${i + 1}_unlock_height`, height]])),
  );

type CostJson = typeof noCost;
const addCost = (sum: CostJson, cost: Json): CostJson => ({
  runtime: sum.runtime + Number(cost.runtime ?? 0),
  read_count: sum.read_count + Number(cost.read_count ?? 0),
  read_length: sum.read_length + Number(cost.read_length ?? 0),
  write_count: sum.write_count + Number(cost.write_count ?? 0),
  write_length: sum.write_length + Number(cost.write_length ?? 0),
});

const bare = (hex: string) => hex.replace(/^0x/, '');
const prefixed = (hex: string) => `0x${bare(hex)}`;
