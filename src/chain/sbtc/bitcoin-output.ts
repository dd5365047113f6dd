/** What an output of Bitcoin is to sBTC. Never renumber. */
export const outputKinds = { deposit: 1, payment: 2 } as const;

/** Where a node finds the sweep. Never renumber. */
export const sweepStates = { in_block: 1, in_mempool: 2, not_found: 3 } as const;
export type SweepState = keyof typeof sweepStates;
