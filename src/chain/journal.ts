/** The channel of notifications that carry the sequence number of the newest journal row. */
export const journalChannel = 'cairn_journal';

/** Kinds of journal entries; a side block is non-canonical and not higher than the tip. Never renumber. */
export const journalKinds = {
  apply: 1,
  rollback: 2,
  mempool: 3,
  microblock: 4,
  burnBlock: 5,
  names: 6,
  nonCanonicalBlock: 7,
  signers: 8,
} as const;
