import type { ChainEvent } from './event.ts';

/** STX, or a token by its identifier `CONTRACT_ID::ASSET_NAME`. */
export type Asset = { type: 'stx' } | { type: 'ft' | 'nft'; identifier: string };

/** What one principal sent and received of one asset: micro-STX, units of a token, or a number of NFTs. */
export type BalanceChange = { principal: string; asset: Asset; sent: bigint; received: bigint };

/** What an event moves; undefined for one that moves nothing. */
export type Movement = {
  asset: Asset;
  amount: bigint;
  /** The serialized value that names an NFT. */
  item?: Uint8Array;
  sender?: string;
  recipient?: string;
};

const ranks = { stx: 0, ft: 1, nft: 2 } as const;
const identifierOf = (asset: Asset) => ('identifier' in asset ? asset.identifier : '');

/** What events and the fee change, by principal in the order in which they appear: STX first, then tokens by identifier. */
export function balanceChanges(
  events: readonly ChainEvent[],
  fee: { payer: string; amount: bigint },
): readonly BalanceChange[] {
  const changes = new Map<string, BalanceChange>();
  const places = new Map<string, number>();
  const add = (side: 'sent' | 'received', principal: string | undefined, asset: Asset, amount: bigint) => {
    if (principal === undefined) return;
    if (!places.has(principal)) places.set(principal, places.size);
    const key = `${principal} ${asset.type} ${identifierOf(asset)}`;
    const change = changes.get(key) ?? { principal, asset, sent: 0n, received: 0n };
    change[side] += amount;
    changes.set(key, change);
  };
  if (fee.amount > 0n) add('sent', fee.payer, { type: 'stx' }, fee.amount);
  for (const event of events) {
    const movement = movementOf(event);
    if (!movement) continue;
    add('sent', movement.sender, movement.asset, movement.amount);
    add('received', movement.recipient, movement.asset, movement.amount);
  }
  return [...changes.values()].sort(
    (a, b) =>
      places.get(a.principal)! - places.get(b.principal)! ||
      ranks[a.asset.type] - ranks[b.asset.type] ||
      (identifierOf(a.asset) < identifierOf(b.asset) ? -1 : 1),
  );
}

/** What an event moves between principals; undefined for prints, locks and unknown events. */
export function movementOf(event: ChainEvent): Movement | undefined {
  switch (event.kind) {
    case 'stx_transfer':
    case 'stx_mint':
    case 'stx_burn':
      return { asset: { type: 'stx' }, amount: event.amount, ...sidesOf(event) };
    case 'ft_transfer':
    case 'ft_mint':
    case 'ft_burn':
      return { asset: { type: 'ft', identifier: event.asset }, amount: event.amount, ...sidesOf(event) };
    case 'nft_transfer':
    case 'nft_mint':
    case 'nft_burn':
      return { asset: { type: 'nft', identifier: event.asset }, amount: 1n, item: event.value, ...sidesOf(event) };
    case 'stx_lock':
    case 'print':
    case 'unknown':
      return undefined;
  }
}

const sidesOf = (event: { sender?: string; recipient?: string }) => ({
  ...(event.sender !== undefined && { sender: event.sender }),
  ...(event.recipient !== undefined && { recipient: event.recipient }),
});
