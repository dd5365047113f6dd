import { buffer, ok, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { sha512_256 } from '@cairn-stacks/codec/hash';
import { toHex } from '@cairn-stacks/codec/hex';
import { testChain } from './chain.ts';

export const boot = 'ST000000000000000000002AMW42H';
export const [alice, bob, carol] = [
  'ST2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKQYAC0RQ',
  'ST1HB1T8WRNBYB0Y3T7WXZS38NKKPTBR3EG9EPJKR',
  'STF9B75ADQAVXQHNEQ6KGHXTG7JP305J2GRWF3A2',
] as const;

export const signerKey = (fill: number) => Uint8Array.of(2, ...new Array<number>(32).fill(fill));
export const rewardAddress = (fill: number) =>
  tuple({ version: buffer(Uint8Array.of(0)), hashbytes: buffer(new Uint8Array(20).fill(fill)) });

/** A print of pox-2 to pox-4: the account before the call, and what the call said. */
export const poxPrint = (
  name: string,
  stacker: string,
  data: Record<string, ClarityValue>,
  { locked = 0, unlock = 0 } = {},
): ClarityValue =>
  ok(
    tuple({
      name: stringAscii(name),
      stacker: principal(stacker),
      balance: uint(1_000_000 - locked),
      locked: uint(locked),
      'burnchain-unlock-height': uint(unlock),
      data: tuple(data),
    }),
  );

/** A print of pox-5. */
export const stakingPrint = (topic: string, fields: Record<string, ClarityValue>): ClarityValue =>
  tuple({ topic: stringAscii(topic), ...fields });

export const cycles = (start: number, end: number) => ({
  'start-cycle-id': uint(start),
  'end-cycle-id': some(uint(end)),
});

export type PoxEventSpec =
  | { contract: string; value: ClarityValue }
  | { lock: string; amount: number; unlock: number; contract: string };
export type PoxBlockSpec = {
  events?: PoxEventSpec[];
  /** All events are of one transaction, rather than each of its own. */
  together?: boolean;
  burnHeight?: number;
  cycle?: { number: number; signers: { key: Uint8Array; stacked: number; weight: number }[] };
};
export type PoxBlock = {
  path: string;
  body: { block_height: number; index_block_hash: string; [key: string]: unknown };
};

const { raw_tx: sample } = (testChain().mine().body as { transactions: { raw_tx: string }[] }).transactions[0]!;
/** Where the nonce stands in the bytes of a transaction with one signer (SIP-005). */
const nonceOffset = 27;
const hash = (name: string) => toHex(Buffer.from(name.padEnd(32, '.')));

/** The bytes of the transaction that made the n-th event of a block: no other has its nonce. */
function rawTransaction(block: PoxBlock, n: number): Buffer {
  const bytes = Buffer.from(sample.slice(2), 'hex');
  const digest = sha512_256(Buffer.from(`${n} ${block.body.index_block_hash}`));
  bytes.set(digest.subarray(0, 6), nonceOffset + 2);
  return bytes;
}

/** The id of the transaction that made the n-th event of a block. */
export const txIdOf = (block: PoxBlock, n = 0): string => toHex(sha512_256(rawTransaction(block, n)));

/** A block whose transactions do nothing but have these events, each its own. */
export function poxBlock(parent: PoxBlock | undefined, spec: PoxBlockSpec, branch = 'a'): PoxBlock {
  const height = (parent?.body.block_height ?? 0) + 1;
  const burnHeight = spec.burnHeight ?? 100 + height;
  const block: PoxBlock = {
    path: '/new_block',
    body: {
      block_height: height,
      block_hash: hash(`b${branch}${height}`),
      index_block_hash: hash(`i${branch}${height}`),
      parent_block_hash: (parent?.body.block_hash as string) ?? hash('root'),
      parent_index_block_hash: parent?.body.index_block_hash ?? hash('root'),
      burn_block_hash: hash(`burn ${burnHeight}`),
      burn_block_height: burnHeight,
      burn_block_time: 1_700_000_000 + height,
      miner_txid: hash('miner'),
      matured_miner_rewards: [],
      transactions: [],
      events: [],
    },
  };
  const events = spec.events ?? [];
  const transactions = spec.together ? events.slice(0, 1) : events;
  block.body.transactions = transactions.map((_, n) => ({
    txid: txIdOf(block, n),
    tx_index: n,
    status: 'success',
    raw_result: '0x03',
    raw_tx: toHex(rawTransaction(block, n)),
    contract_interface: null,
    burnchain_op: null,
    execution_cost: { read_count: 0, read_length: 0, runtime: 0, write_count: 0, write_length: 0 },
    microblock_sequence: null,
    microblock_hash: null,
    microblock_parent_hash: null,
  }));
  block.body.events = events.map((event, n) => ({
    txid: txIdOf(block, spec.together ? 0 : n),
    event_index: n,
    committed: true,
    ...eventBody(event),
  }));
  if (spec.cycle) {
    block.body.cycle_number = spec.cycle.number;
    block.body.reward_set = {
      rewarded_addresses: [{ Standard: [{ bytes: '00', version: 26 }, 'SerializeP2PKH'] }],
      start_cycle_state: { missed_reward_slots: [] },
      signers: spec.cycle.signers.map(({ key, stacked, weight }) => ({
        signing_key: toHex(key).slice(2),
        stacked_amt: String(stacked),
        weight,
      })),
      pox_ustx_threshold: '1000',
    };
  }
  return block;
}

function eventBody(event: PoxEventSpec) {
  if ('lock' in event) {
    const { lock, amount, unlock, contract } = event;
    const body = { locked_address: lock, locked_amount: String(amount), unlock_height: String(unlock) };
    return { type: 'stx_lock_event', stx_lock_event: { ...body, contract_identifier: contract } };
  }
  const value = toHex(encodeClarity(event.value));
  return {
    type: 'contract_event',
    contract_event: { contract_identifier: event.contract, topic: 'print', raw_value: value },
  };
}
