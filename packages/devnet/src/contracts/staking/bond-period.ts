import { cycleLength } from '../pox/cycle.ts';

/** The first reward cycle of pox-5, in which bond 0 begins: the first cycle that begins after genesis. */
export const firstStakingCycle = 6;

/** Cycles between the beginnings of two bonds, and cycles of a bond. */
export const bondGap = 2;
export const bondLength = 12;

/** Most cycles of a stake. */
export const maxStakeCycles = 96;

/** Burn blocks between two distributions of rewards: half a cycle. */
export const distributionLength = cycleLength / 2;

/** Rewards of one share are stored times this number. */
export const precision = 10n ** 18n;

/** Hundredths of a percent of the excess that the reserve receives. */
export const reserveRatio = 1_500n;

/** Distributions of a year: a bond receives this fraction of its yearly rate at a time. */
export const distributionsPerYear = 50n;

export const bondFirstCycle = (bond: bigint) => BigInt(firstStakingCycle) + bond * BigInt(bondGap);
export const bondEndCycle = (bond: bigint) => bondFirstCycle(bond) + BigInt(bondLength);
export const cycleStart = (cycle: bigint) => cycle * BigInt(cycleLength);

/** The burn height from which the bitcoin of a bond may leave, and its holders may move to another bond. */
export const bondUnlockHeight = (bond: bigint) => cycleStart(bondEndCycle(bond)) - BigInt(distributionLength);

export const isBondActiveAt = (bond: bigint, height: bigint) =>
  height > cycleStart(bondFirstCycle(bond)) && height <= cycleStart(bondEndCycle(bond));

/** The burn height up to which the next calculation distributes rewards. */
export const calculationHeight = (burnHeight: number) =>
  BigInt(Math.floor(burnHeight / distributionLength) * distributionLength - 1);

/** The fewest micro-STX that satoshis need beside them. */
export const minimumStx = (sats: bigint, stxValueRatio: bigint, minUstxRatio: bigint) =>
  (((stxValueRatio * sats) / 100n) * minUstxRatio) / 10_000n;
