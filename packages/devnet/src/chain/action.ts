import type { BnsCall } from '../contracts/names/bns-contract.ts';
import type { BnsV2Call } from '../contracts/names/bns-v2-contract.ts';
import type { TokenCall } from '../contracts/token-contract.ts';

/** How a transaction fails. */
export type Failure = 'response' | 'post_condition';

/** One transaction of an account; accounts are given by index, other principals by address. */
export type Action = { from: number; fee?: bigint; sponsor?: number; fails?: Failure } & (
  | { kind: 'transfer'; to: string; amount: bigint; memo?: string }
  | { kind: 'deploy'; name: string }
  | { kind: 'call'; contract: string; call: TokenCall }
  | { kind: 'stack'; amount: bigint; cycles: number }
  | { kind: 'bns'; call: BnsCall }
  | { kind: 'bns_v2'; call: BnsV2Call }
);

/** One operation of an account through a Bitcoin transaction. */
export type BurnAction = { from: number } & (
  | { kind: 'transfer_stx'; to: string; amount: bigint; memo?: string }
  | { kind: 'stack_stx'; amount: bigint; cycles: number; rejected?: boolean }
  | { kind: 'delegate_stx'; to: string; amount: bigint; untilBurnHeight?: number }
);
