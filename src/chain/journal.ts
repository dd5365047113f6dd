/** What a step of the fold was; a side block is no higher than the chain and waits beside it. Never renumber. */
export const journalKinds = {
  apply: 1,
  rollback: 2,
  mempool: 3,
  microblock: 4,
  burnBlock: 5,
  names: 6,
  sideBlock: 7,
} as const;
