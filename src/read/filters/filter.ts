import type { KnownStatus } from '../../chain/transaction.ts';
import type { BlockRange } from '../pages/block-range-params.ts';
import type { AssetName } from '../tokens/nfts-queries.ts';

/** What may become of a transaction, in parameters. */
export const outcomes = [
  'pending',
  'success',
  'failed',
  'abort_by_response',
  'abort_by_post_condition',
  'problematic_skipped',
] as const;

/** What the transactions of a list have in common; what is absent does not matter. Principals are compact. */
export type TransactionHistoryFilter = {
  range: BlockRange;
  sender?: Uint8Array;
  /** The recipient of a token transfer. */
  recipient?: Uint8Array;
  /** The contract that is called or deployed. */
  contract?: Uint8Array;
  functionName?: string;
  /** Success, any abort, or one kind of abort. */
  outcome?: KnownStatus | 'failed';
  /** Codes of types. */
  types?: readonly number[];
  nonce?: number;
};

/** Codes of what moves STX and is no event, in addition to those of event kinds. */
export const feeCode = 101;
export const rewardCode = 102;

/** What the events of a list have in common. */
export type EventHistoryFilter = {
  range: BlockRange;
  /** Codes of event kinds. */
  kinds: readonly number[];
  /** The sides of the event. */
  sender?: Uint8Array;
  recipient?: Uint8Array;
  /** The contract of the asset, or the one that printed or locked. */
  contract?: Uint8Array;
  /** The function that the transaction called. */
  functionName?: string;
  asset?: 'STX' | AssetName;
  /** Events without an amount never have enough. */
  minAmount?: bigint;
};
