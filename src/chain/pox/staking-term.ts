import { columnOf } from '../print-fields.ts';
import type { StakingPosition } from './staking-print.ts';

/** Where a print stands in the chain. */
export type PrintPlace = { height: number; place: number; index: number };

/** From a cycle on, what a staker has; nothing where the end is not above the first. Numbers of cycles and burn heights. */
export type StakingTerm = {
  signer: number;
  /** -1 where STX alone are staked. */
  bond: number;
  firstCycle: number;
  endCycle: number;
  /** The first cycle of the lock, which an update keeps. */
  startCycle: number;
  unlockHeight: number;
  lock: PrintPlace;
  l1: boolean;
  stx: bigint;
  sats: bigint;
};

/** Most cycles that a print of pox-5 decides on. */
const maxCycles = 96n;

/** The term that a step of a staker begins, after the one before it; undefined for steps that change no cycles, or do not say which. */
export function termAfter(
  print: StakingPosition,
  signer: number,
  at: PrintPlace,
  before: StakingTerm | undefined,
): StakingTerm | undefined {
  const cycles = cyclesOf(print);
  if (!cycles) return undefined;
  const { first: firstCycle, end: endCycle } = cycles;
  const goesOn = print.cause !== 'stake' && print.cause !== 'register-for-bond' ? before : undefined;
  return {
    signer,
    bond: columnOf(print.bond),
    firstCycle,
    endCycle,
    startCycle: goesOn?.startCycle ?? firstCycle,
    unlockHeight: print.unlockHeight === undefined ? (goesOn?.unlockHeight ?? -1) : columnOf(print.unlockHeight),
    lock: goesOn?.lock ?? at,
    l1: print.l1,
    stx: endCycle > firstCycle ? (print.stx ?? 0n) : 0n,
    sats: print.sats ?? 0n,
  };
}

/** The cycles that a step decides on, the end not included: everything from the first on is replaced. */
export function cyclesOf(print: StakingPosition): { first: number; end: number } | undefined {
  const [first, end] = print.signer === undefined ? [] : statedCycles(print);
  if (first === undefined || end === undefined || first < 0n) return undefined;
  const cycles = end < first ? 0n : end - first;
  return { first: columnOf(first), end: columnOf(first + (cycles < maxCycles ? cycles : maxCycles)) };
}

function statedCycles({ cause, firstCycle, unlockCycle, cycles = -1n }: StakingPosition): (bigint | undefined)[] {
  switch (cause) {
    case 'stake':
    case 'register-for-bond':
      return [firstCycle, unlockCycle];
    case 'stake-update':
      // The print has the number of cycles from the next one on, and not the next one.
      return unlockCycle === undefined || cycles < 0n ? [] : [unlockCycle - cycles, unlockCycle];
    case 'unstake':
      return [unlockCycle, unlockCycle];
    case 'update-bond-registration':
      return firstCycle === undefined || cycles < 0n ? [] : [firstCycle, firstCycle + cycles];
    default:
      return [];
  }
}

/** Cycles of a term that later terms left to it, the end not included, and when its lock ends. */
export type StakingSpan<Term> = {
  term: Term;
  first: number;
  end: number;
  unlockCycle: number;
  unlockHeight: number;
};

/** What a staker has in which cycles, the lowest first; the terms are in the order of the chain. */
export function spansOf<Term extends Pick<StakingTerm, 'firstCycle' | 'endCycle' | 'unlockHeight' | 'startCycle'>>(
  terms: readonly Term[],
): StakingSpan<Term>[] {
  let spans: StakingSpan<Term>[] = [];
  for (const term of terms) {
    const { firstCycle: first, endCycle: end, unlockHeight } = term;
    spans = spans.filter(span => span.first < first).map(span => (span.end > first ? { ...span, end: first } : span));
    const last = spans.at(-1);
    if (end > first) spans.push({ term, first, end, unlockCycle: end, unlockHeight });
    // Who unstakes has the lock end earlier.
    else if (last && last.term.startCycle === term.startCycle)
      Object.assign(last, { unlockCycle: first, unlockHeight });
  }
  return spans;
}

/** The order of the chain. */
export const comparePlaces = (a: PrintPlace, b: PrintPlace): number =>
  a.height - b.height || a.place - b.place || a.index - b.index;
