/** An effect of a transaction on assets or logs, with amounts as bigint and principals as text. */
export type ChainEvent =
  | { kind: 'stx_transfer'; sender: string; recipient: string; amount: bigint; memo: Uint8Array }
  | { kind: 'stx_mint'; recipient: string; amount: bigint }
  | { kind: 'stx_burn'; sender: string; amount: bigint }
  | { kind: 'stx_lock'; principal: string; amount: bigint; unlockHeight: number; contract: string }
  | { kind: 'ft_transfer'; asset: string; sender: string; recipient: string; amount: bigint }
  | { kind: 'ft_mint'; asset: string; recipient: string; amount: bigint }
  | { kind: 'ft_burn'; asset: string; sender: string; amount: bigint }
  | { kind: 'nft_transfer'; asset: string; sender: string; recipient: string; value: Uint8Array }
  | { kind: 'nft_mint'; asset: string; recipient: string; value: Uint8Array }
  | { kind: 'nft_burn'; asset: string; sender: string; value: Uint8Array }
  | { kind: 'print'; contract: string; value: Uint8Array }
  | { kind: 'unknown'; type: string; body: string };

export type EventKind = ChainEvent['kind'];

/** How an event kind is written in the tables. Never renumber. */
export const eventCodes = {
  stx_transfer: 1,
  stx_mint: 2,
  stx_burn: 3,
  stx_lock: 4,
  ft_transfer: 5,
  ft_mint: 6,
  ft_burn: 7,
  nft_transfer: 8,
  nft_mint: 9,
  nft_burn: 10,
  print: 11,
  unknown: 12,
} as const satisfies Record<EventKind, number>;

const kindsByCode = new Map<number, EventKind>(
  Object.entries(eventCodes).map(([kind, code]) => [code, kind as EventKind]),
);

/** Kinds of events that move fungible or non-fungible tokens. */
export const ftMoves = [eventCodes.ft_transfer, eventCodes.ft_mint, eventCodes.ft_burn] as const;
export const nftMoves = [eventCodes.nft_transfer, eventCodes.nft_mint, eventCodes.nft_burn] as const;

/** The kind of a code in the tables. */
export function eventKind(code: number): EventKind {
  return kindsByCode.get(code) ?? 'unknown';
}
