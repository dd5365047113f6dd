import fc from 'fast-check';

/**
 * The seed of every property test. It is fixed, so that a run can be repeated and a failure is a change of the code; `npm run
 * bench -- histories` passes random ones.
 */
export const propertySeed = Number(process.env.HISTORY_SEED ?? 20_261_118);

/** How many histories a generated test plays: its part of those that the tier takes (`vitest.config.ts`), at least one. */
export const historiesOf = (part: number) => Math.ceil(Number(process.env.HISTORIES ?? 200) * part);

/** Generated tests end by themselves: this only ends one that hangs. */
export const historyTimeout = 90 * 60_000;

/** The part of a time box that one generated test may use. */
const partOfBox = 1 / 4;

/** Plays a number of generated histories, or in a time box as many as fit, and prints how many they were. */
export async function playHistories(
  name: string,
  property: fc.IAsyncProperty<unknown[]>,
  count: number,
): Promise<void> {
  const end = process.env.CAIRN_TEST_END;
  const boxMs = end && Math.max(20_000, (Number(end) - Date.now()) * partOfBox);
  const details = await fc.check(property, {
    numRuns: count,
    seed: propertySeed,
    includeErrorInReport: true,
    ...(boxMs && { interruptAfterTimeLimit: boxMs }),
  });
  if (details.failed || details.numRuns === 0)
    throw new Error(fc.defaultReportMessage(details) ?? 'nothing was played');
  console.log(`${name}: ${details.numRuns} of ${count} histories, seed ${propertySeed}`);
}
