import type { Tip } from '../../src/cache/tip-queries.ts';

/** A tip after a step of the journal, for tests of the code around handlers; `given` has what else matters. */
export const tipAt = (seq: number, given: Partial<Tip> = {}): Tip => ({
  seq,
  check: 0,
  chainSeq: seq,
  mempoolSeq: seq,
  height: 7,
  hash: Buffer.alloc(32, 1),
  indexHash: Buffer.alloc(32, given.chainSeq ?? seq),
  burnHeight: 100,
  blockBurnHeight: 100,
  revision: 'r',
  generation: 1,
  unlockHeights: [],
  incomplete: [],
  ...given,
});
