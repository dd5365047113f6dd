import { formatAssetId, formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { PostCondition } from '@cairn-stacks/codec/transaction/post-condition';
import { senderAddress, type Transaction } from '@cairn-stacks/codec/transaction/transaction';
import type { ChainEvent } from './event.ts';

/** Assets sent by each principal, by `principal asset` or, for an item, `principal asset value`. */
type Sent = { amounts: Map<string, bigint>; items: Set<string>; locked: Map<string, bigint> };

/** Why the post-conditions of a transaction roll back these events; undefined if they hold (SIP-005). */
export function postConditionProblem(transaction: Transaction, events: readonly ChainEvent[]): string | undefined {
  const origin = senderAddress(transaction);
  const sent = sentBy(events);
  const covered = new Set<string>();
  for (const condition of transaction.postConditions) {
    const who = condition.principal.type === 'origin' ? origin : formatPrincipal(condition.principal);
    if (!holds(condition, who, sent, covered)) return `a post-condition on ${who} does not hold`;
  }
  if (transaction.postConditionMode === 'allow') return undefined;
  for (const key of [...sent.amounts.keys(), ...sent.items]) {
    const [who = ''] = key.split(' ');
    if (transaction.postConditionMode === 'originator' && who !== origin) continue;
    if (!covered.has(key)) return `no post-condition allows what left ${who}`;
  }
  return undefined;
}

function holds(condition: PostCondition, who: string, sent: Sent, covered: Set<string>): boolean {
  switch (condition.type) {
    case 'stx':
    case 'fungible': {
      const key = `${who} ${'asset' in condition ? formatAssetId(condition.asset) : 'stx'}`;
      covered.add(key);
      return compare(sent.amounts.get(key) ?? 0n, condition.condition, condition.amount);
    }
    case 'non_fungible': {
      const key = `${who} ${formatAssetId(condition.asset)} ${bareHex(condition.value)}`;
      covered.add(key);
      if (condition.condition === 'maybe_sent') return true;
      return sent.items.has(key) === (condition.condition === 'sent');
    }
    case 'staking':
      return compare(sent.locked.get(who) ?? 0n, condition.condition, condition.amount);
    case 'pox':
      if (condition.condition === 'maybe_performed') return true;
      return sent.locked.has(who) === (condition.condition === 'performed');
  }
}

function compare(amount: bigint, condition: PostCondition['condition'], limit: bigint): boolean {
  switch (condition) {
    case 'sent_equal_to':
      return amount === limit;
    case 'sent_greater_than':
      return amount > limit;
    case 'sent_greater_than_or_equal_to':
      return amount >= limit;
    case 'sent_less_than':
      return amount < limit;
    case 'sent_less_than_or_equal_to':
      return amount <= limit;
    default:
      throw new Error(`no transaction with the condition ${condition} is admitted`);
  }
}

function sentBy(events: readonly ChainEvent[]): Sent {
  const sent: Sent = { amounts: new Map(), items: new Set(), locked: new Map() };
  const add = (key: string, amount: bigint) => sent.amounts.set(key, (sent.amounts.get(key) ?? 0n) + amount);
  for (const event of events) {
    switch (event.kind) {
      case 'stx_transfer':
      case 'stx_burn':
        add(`${event.sender} stx`, event.amount);
        break;
      case 'ft_transfer':
      case 'ft_burn':
        add(`${event.sender} ${event.asset}`, event.amount);
        break;
      case 'nft_transfer':
      case 'nft_burn':
        sent.items.add(`${event.sender} ${event.asset} ${bareHex(event.value)}`);
        break;
      case 'stx_lock':
        sent.locked.set(event.principal, event.amount);
        break;
    }
  }
  return sent;
}
