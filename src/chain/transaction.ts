import type { Transaction } from '@cairn-stacks/codec/transaction/transaction';
import type { ChainEvent } from './event.ts';

/** Names of the public API. The three coinbase payloads and the two contract payloads share a name. */
export const transactionTypes = [
  'token_transfer',
  'smart_contract',
  'contract_call',
  'poison_microblock',
  'coinbase',
  'tenure_change',
] as const;
export type TransactionType = (typeof transactionTypes)[number];

/** How a transaction type is written in the tables: the payload id of SIP-005, so that no detail is lost. */
export const payloadIds = {
  token_transfer: 0,
  smart_contract: 1,
  contract_call: 2,
  poison_microblock: 3,
  coinbase: 4,
  coinbase_to_alt_recipient: 5,
  versioned_smart_contract: 6,
  tenure_change: 7,
  nakamoto_coinbase: 8,
  // Any type that this program does not know; the bytes contain the type. Far above the existing codes.
  unknown: 15,
} as const satisfies Record<Transaction['payload']['type'], number>;

const typesByPayloadId: TransactionType[] = [
  'token_transfer',
  'smart_contract',
  'contract_call',
  'poison_microblock',
  'coinbase',
  'coinbase',
  'smart_contract',
  'tenure_change',
  'coinbase',
];

/** The public name of a payload id. */
export function transactionType(payloadId: number): TransactionType {
  const type = typesByPayloadId[payloadId];
  if (!type) throw new Error(`no transaction type for payload id ${payloadId}`);
  return type;
}

/** The payload ids of a public type name. */
export function payloadIdsOf(type: TransactionType): number[] {
  return typesByPayloadId.flatMap((name, id) => (name === type ? [id] : []));
}

/** Statuses of a receipt. */
export const statusCodes = {
  success: 1,
  abort_by_response: 2,
  abort_by_post_condition: 3,
  problematic_skipped: 4,
} as const;
/** The code of every other status, whose text is stored beside. */
export const otherStatus = 0;
export type KnownStatus = keyof typeof statusCodes;

const statusesByCode = new Map<number, string>(Object.entries(statusCodes).map(([status, code]) => [code, status]));

/** The status of a code in the tables. */
export function statusName(code: number): string | undefined {
  return statusesByCode.get(code);
}

export type Cost = {
  runtime: bigint;
  readCount: number;
  readLength: number;
  writeCount: number;
  writeLength: number;
};

export type MicroblockPlace = { hash: Uint8Array; sequence: number; parentHash: Uint8Array };

type AddressObject = { address: string };

/** A Stacks operation made by a Bitcoin transaction: it has no Stacks bytes. */
export type BurnOperation =
  | { kind: 'transfer_stx'; sender: string; recipient: string; amount: bigint; memo: Uint8Array }
  | {
      kind: 'stack_stx';
      sender: string;
      amount: bigint;
      cycles: number;
      rewardAddress: string;
      signerKey?: Uint8Array;
      maxAmount?: bigint;
      authId?: bigint;
    }
  | {
      kind: 'delegate_stx';
      sender: string;
      delegateTo: string;
      amount: bigint;
      rewardAddress?: string;
      untilBurnHeight?: bigint;
    }
  | {
      kind: 'vote_for_aggregate_key';
      sender: string;
      aggregateKey: Uint8Array;
      signerIndex: number;
      round: number;
      rewardCycle: bigint;
    };
export type { AddressObject };

/** One executed transaction: its bytes, its result, and its committed events. */
export type Receipt = {
  txId: Uint8Array;
  /** Position the node gave it. */
  index: number;
  status: string;
  result: Uint8Array;
  /** Consensus bytes, or the single byte 0 for a burn operation. */
  raw: Uint8Array;
  /** Decoded bytes; absent for burn operations. */
  transaction?: Transaction;
  burnOperation?: BurnOperation;
  /** The node's JSON of the contract interface, as text. */
  abi?: string;
  cost: Cost;
  microblock?: MicroblockPlace;
  vmError?: string;
  /** Why the payload was not executed, where it was not: the category that the node gave. */
  problematicSkipped?: number;
  /** Committed events of a successful transaction in execution order; their array index is the public event index. */
  events: ChainEvent[];
  /** True for receipts of boot and phantom transactions: chain id 0, no fee, no nonce. */
  boot: boolean;
};
