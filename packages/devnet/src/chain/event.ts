/** An event of a transaction before it is written as JSON of a node; amounts are bigint, principals are text. */
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
  /** A type that only a test knows: `body` is its JSON. */
  | { kind: 'unknown'; type: string; body: string };
