/** Where cycles of PoX begin and end, in burn heights. */
export type PoxGeometry = {
  /** The first block of cycle 0. */
  first: number;
  /** Blocks of a cycle. */
  length: number;
  /** Blocks of its prepare phase, the last ones. */
  prepare: number;
};

export const mainnetPox: PoxGeometry = { first: 666_050, length: 2_100, prepare: 100 };

/** The cycle of a burn height; negative before the first. */
export const cycleAt = ({ first, length }: PoxGeometry, height: number): number =>
  Math.floor((height - first) / length);

/** Burn heights at which a cycle begins, its prepare phase begins, and it ends, all inclusive. */
export function cycleBounds({ first, length, prepare }: PoxGeometry, cycle: number) {
  const start = first + cycle * length;
  return { start, prepare: start + length - prepare, end: start + length - 1 };
}
