import type { TransactionEvent } from '../events/event-schema.ts';
import { itemPart, stxPart, tokenPart } from './asset-words.ts';
import type { SummaryPart } from './summary-schema.ts';

/** What one principal lost and gained by a transaction, and who stood on the other side. */
export type NetMovements = { lost: SummaryPart[]; gained: SummaryPart[]; recipients: string[] };

type Sum = { change: bigint; part: (units: bigint) => SummaryPart };

/** Adds up the events of a transaction for `principal`. The fee is no event. */
export function netMovements(events: readonly TransactionEvent[], principal: string): NetMovements {
  const sums = new Map<string, Sum>();
  const recipients = new Set<string>();
  for (const event of events) {
    if (event.event_type === 'smart_contract_log' || event.event_type === 'stx_lock') continue;
    const { sender, recipient } = event.asset;
    if (sender === recipient) continue;
    const sign = recipient === principal ? 1n : sender === principal ? -1n : 0n;
    if (sign === 0n) continue;
    if (sign < 0n && recipient !== '') recipients.add(recipient);
    const { key, units, part } = movedBy(event);
    const sum = sums.get(key) ?? { change: 0n, part };
    sum.change += sign * units;
    sums.set(key, sum);
  }
  const changed = [...sums.values()];
  return {
    lost: changed.filter(({ change }) => change < 0n).map(({ change, part }) => part(-change)),
    gained: changed.filter(({ change }) => change > 0n).map(({ change, part }) => part(change)),
    recipients: [...recipients],
  };
}

type AssetEvent = Exclude<TransactionEvent, { event_type: 'smart_contract_log' | 'stx_lock' }>;

function movedBy(event: AssetEvent): { key: string; units: bigint; part: (units: bigint) => SummaryPart } {
  switch (event.event_type) {
    case 'stx_asset':
      return { key: 'stx', units: BigInt(event.asset.amount), part: stxPart };
    case 'fungible_token_asset': {
      const { asset_id: asset, amount, metadata = {} } = event.asset;
      return { key: asset, units: BigInt(amount), part: units => tokenPart(asset, units, metadata) };
    }
    case 'non_fungible_token_asset': {
      const { asset_id: asset, value } = event.asset;
      return { key: `${asset} ${value.hex}`, units: 1n, part: () => itemPart(asset, value.repr) };
    }
  }
}
