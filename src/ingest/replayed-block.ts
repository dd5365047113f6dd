import { decodeTransaction, senderAddress } from '../codec/transaction.ts';
import { array, type Json, MessageError, object, optionalInteger, optionalText, text } from '../node/json.ts';

/** Who sent an event that nobody sent: a block that was asked of a node. */
export const fetchedSource = 'fetched';

/** The sortition of a tenure, as far as a block message tells it. */
export type Sortition = { burnHash: string; burnHeight: number; burnTime: number };

/** What is known of the block below: it dates the parent fields and counts the tenures. */
export type Below = { blockHash: string; sortition: Sortition; tenureHeight: number | undefined };

const zeroHash = `0x${'0'.repeat(64)}`;
const noCost = { runtime: 0, read_count: 0, read_length: 0, write_count: 0, write_length: 0 };

/** A block as a node replays it. */
export type Replay = { id: string; parentId: string; height: number; consensusHash: string; json: Json };

/** Reads the head of a replayed block; refuses one that the node could not reproduce. */
export function readReplay(value: unknown): Replay {
  const json = object(value, 'replayed block');
  if (json.valid_merkle_root === false) throw new MessageError('the node could not reproduce the block');
  return {
    id: bare(text(json, 'block_id')),
    parentId: bare(text(json, 'parent_block_id')),
    height: Number(json.block_height),
    consensusHash: bare(text(json, 'consensus_hash')),
    json,
  };
}

/**
 * The message a node would have posted for a block. What a replay does not tell stays out: maturing rewards, the reward set
 * and the miner's Bitcoin transaction.
 */
export function messageOf(
  { id, parentId, height, consensusHash, json }: Replay,
  sortition: Sortition,
  below: Below,
  interfaces: ReadonlyMap<string, unknown>,
): Json {
  const items = array(json.transactions, 'transactions').map(item => object(item, 'transaction'));
  const startsTenure = items.some(item => isNewTenure(text(item, 'hex')));
  let eventIndex = 0;
  const events = items.flatMap(item =>
    inOrder(array(item.events ?? [], 'events')).map(event => ({
      ...event,
      txid: prefixed(text(item, 'txid')),
      event_index: eventIndex++,
      committed: item.post_condition_aborted !== true,
    })),
  );
  const hash = prefixed(text(json, 'block_hash'));
  return {
    block_hash: hash,
    index_block_hash: prefixed(id),
    block_height: height,
    block_time: json.timestamp,
    consensus_hash: prefixed(consensusHash),
    parent_block_hash: below.blockHash,
    parent_index_block_hash: prefixed(parentId),
    burn_block_hash: prefixed(sortition.burnHash),
    burn_block_height: sortition.burnHeight,
    burn_block_time: sortition.burnTime,
    parent_burn_block_hash: prefixed(below.sortition.burnHash),
    parent_burn_block_height: below.sortition.burnHeight,
    parent_burn_block_timestamp: below.sortition.burnTime,
    ...(below.tenureHeight !== undefined && { tenure_height: below.tenureHeight + (startsTenure ? 1 : 0) }),
    miner_txid: zeroHash,
    parent_microblock: zeroHash,
    parent_microblock_sequence: 0,
    matured_miner_rewards: [],
    anchored_cost: items.reduce<CostJson>(
      (sum, item) => addCost(sum, object(item.execution_cost ?? noCost, 'cost')),
      noCost,
    ),
    confirmed_microblocks_cost: noCost,
    miner_signature: prefixed(text(json, 'miner_signature')),
    signer_signature: array(json.signer_signature ?? [], 'signer_signature').map(s => bare(String(s))),
    signer_signature_hash: hash,
    reward_set: null,
    cycle_number: null,
    events,
    transactions: items.map(item => receiptOf(item, interfaces)),
  };
}

/** Nodes number events but do not sort them. */
const inOrder = (events: unknown[]) =>
  events
    .map(event => object(event, 'event'))
    .sort((a, b) => (optionalInteger(a, 'event_index') ?? 0) - (optionalInteger(b, 'event_index') ?? 0));

function receiptOf(item: Json, interfaces: ReadonlyMap<string, unknown>): Json {
  const result = prefixed(text(item, 'result_hex'));
  const txid = prefixed(text(item, 'txid'));
  return {
    txid,
    tx_index: item.tx_index,
    raw_tx: prefixed(text(item, 'hex')),
    raw_result: result,
    status: statusOf(item, result),
    execution_cost: item.execution_cost ?? noCost,
    vm_error: optionalText(item, 'vm_error') ?? null,
    contract_interface: interfaces.get(txid) ?? null,
    burnchain_op: null,
    microblock_hash: null,
    microblock_sequence: null,
    microblock_parent_hash: null,
  };
}

/** Derived as the node derives it: post-conditions first, then the response. */
function statusOf(item: Json, result: string): string {
  if (item.post_condition_aborted === true) return 'abort_by_post_condition';
  return result.startsWith('0x08') ? 'abort_by_response' : 'success';
}

/** Contracts that a block deployed: their interfaces have to be asked for apart. */
export function deploysOf(json: Json): { txid: string; address: string; name: string }[] {
  return array(json.transactions, 'transactions').flatMap(value => {
    const item = object(value, 'transaction');
    const transaction = transactionIn(text(item, 'hex'));
    const { payload } = transaction;
    if (payload.type !== 'smart_contract' && payload.type !== 'versioned_smart_contract') return [];
    return [{ txid: prefixed(text(item, 'txid')), address: senderAddress(transaction), name: payload.name }];
  });
}

const transactionIn = (hex: string) => decodeTransaction(Buffer.from(bare(hex), 'hex'));

/** Only a tenure change for a won sortition starts a tenure; the others extend one. */
function isNewTenure(hex: string): boolean {
  const { payload } = transactionIn(hex);
  return payload.type === 'tenure_change' && payload.cause === 'block_found';
}

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
