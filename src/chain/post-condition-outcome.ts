import { formatAssetId, formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { PostCondition } from '@cairn-stacks/codec/transaction/post-condition';
import { senderAddress, type Transaction } from '@cairn-stacks/codec/transaction/transaction';
import { type Asset, movementOf } from './balance-changes.ts';
import type { ChainEvent } from './event.ts';
import type { KnownStatus } from './transaction.ts';

/** How one post-condition ended. */
export type ConditionOutcome = {
  condition: PostCondition;
  /** Undefined if it was not checked, or if it is not known which of several failed. */
  holds: boolean | undefined;
  /** What left its principal: units, or 1 for an NFT; undefined where no event tells. */
  moved: bigint | undefined;
};

/** What left a principal without a post-condition on it. */
export type Uncovered = { principal: string; asset: Asset; item?: Uint8Array; amount: bigint };

export type PostConditionOutcome = {
  /** Undefined if they were not checked, because the transaction had failed before. */
  held: boolean | undefined;
  conditions: ConditionOutcome[];
  uncovered: Uncovered[];
};

/**
 * How the post-conditions of an executed transaction ended (SIP-005). The node has judged them: the events of a success say
 * what each was about. Of an aborted transaction there are no events, so only a single condition is known to have failed.
 */
export function postConditionOutcome(
  transaction: Transaction,
  status: KnownStatus,
  events: readonly ChainEvent[],
): PostConditionOutcome {
  const { postConditions, postConditionMode, payload } = transaction;
  if (status !== 'success') {
    const aborted = status === 'abort_by_post_condition';
    const isTheOne = aborted && postConditions.length === 1 && postConditionMode === 'allow';
    const conditions = postConditions.map(condition => ({
      condition,
      holds: isTheOne ? false : undefined,
      moved: undefined,
    }));
    return { held: aborted ? false : undefined, conditions, uncovered: [] };
  }
  const origin = senderAddress(transaction);
  const left = leavingAssets(events);
  const covered = new Set<string>();
  const conditions = postConditions.map(condition => {
    const key = keyOf(condition, origin);
    covered.add(key);
    return { condition, holds: true, moved: condition.type === 'pox' ? undefined : (left.get(key)?.amount ?? 0n) };
  });
  // A transfer of STX is itself what its sender agreed to: it takes no post-conditions.
  const unwatched = payload.type === 'token_transfer' ? [] : [...left].filter(([key]) => !covered.has(key));
  const uncovered = unwatched.flatMap(([, each]) => ('asset' in each ? [each] : []));
  return { held: true, conditions, uncovered };
}

type Locked = { amount: bigint };

/** What left each principal, by the key of a post-condition on it. */
function leavingAssets(events: readonly ChainEvent[]): Map<string, Uncovered | Locked> {
  const left = new Map<string, Uncovered | Locked>();
  for (const event of events) {
    if (event.kind === 'stx_lock') left.set(`${event.principal} lock`, { amount: event.amount });
    const movement = movementOf(event);
    if (movement?.sender === undefined) continue;
    const { sender, asset, item, amount } = movement;
    const key = [sender, 'identifier' in asset ? asset.identifier : 'stx', ...(item ? [bareHex(item)] : [])].join(' ');
    // An NFT that leaves twice has left.
    const before = item ? 0n : (left.get(key)?.amount ?? 0n);
    left.set(key, { principal: sender, asset, ...(item && { item }), amount: before + amount });
  }
  return left;
}

function keyOf(condition: PostCondition, origin: string): string {
  const { principal } = condition;
  const who = principal.type === 'origin' ? origin : formatPrincipal(principal);
  switch (condition.type) {
    case 'stx':
      return `${who} stx`;
    case 'fungible':
      return `${who} ${formatAssetId(condition.asset)}`;
    case 'non_fungible':
      return `${who} ${formatAssetId(condition.asset)} ${bareHex(condition.value)}`;
    case 'staking':
    case 'pox':
      return `${who} lock`;
  }
}
