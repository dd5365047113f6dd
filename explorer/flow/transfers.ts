import type { TransactionEvent } from '../api/schema.ts';

/** An asset that moves between two principals. A mint has no sender, a burn no recipient. */
export type Movement = {
  from: string | undefined;
  to: string | undefined;
  asset: 'stx' | { ft: string } | { nft: string; repr: string };
  amount: bigint;
};

/** What the events of a transaction moved, in their order. */
export function movementsOf(events: readonly TransactionEvent[]): Movement[] {
  return events.flatMap((event): Movement[] => {
    switch (event.event_type) {
      case 'stx_asset':
        return [{ ...ends(event.asset), asset: 'stx', amount: BigInt(event.asset.amount) }];
      case 'fungible_token_asset':
        return [{ ...ends(event.asset), asset: { ft: event.asset.asset_id }, amount: BigInt(event.asset.amount) }];
      case 'non_fungible_token_asset':
        return [
          { ...ends(event.asset), asset: { nft: event.asset.asset_id, repr: event.asset.value.repr }, amount: 1n },
        ];
      default:
        return [];
    }
  });
}

const ends = (asset: { asset_event_type: string; sender: string; recipient: string }) => ({
  from: asset.asset_event_type === 'mint' || asset.sender === '' ? undefined : asset.sender,
  to: asset.asset_event_type === 'burn' || asset.recipient === '' ? undefined : asset.recipient,
});

/** Adds up the movements of one asset between two accounts. */
export function sumMovements(movements: readonly Movement[]): Movement[] {
  const sums = new Map<string, Movement>();
  for (const movement of movements) {
    const key = JSON.stringify([movement.from, movement.to, movement.asset]);
    const known = sums.get(key);
    if (known) known.amount += movement.amount;
    else sums.set(key, { ...movement });
  }
  return [...sums.values()];
}

/** What each principal gained or lost of each fungible asset. */
export type Net = { principal: string; asset: 'stx' | { ft: string }; change: bigint };

export function netChanges(movements: readonly Movement[]): Net[] {
  const nets = new Map<string, Net>();
  const add = (principal: string | undefined, asset: Net['asset'], change: bigint) => {
    if (principal === undefined) return;
    const key = JSON.stringify([principal, asset]);
    const known = nets.get(key) ?? { principal, asset, change: 0n };
    known.change += change;
    nets.set(key, known);
  };
  for (const { from, to, asset, amount } of movements) {
    if (asset !== 'stx' && 'nft' in asset) continue;
    add(from, asset, -amount);
    add(to, asset, amount);
  }
  return [...nets.values()].filter(({ change }) => change !== 0n);
}
