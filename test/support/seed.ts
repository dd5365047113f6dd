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

/** How long a generated test plays in a time box, so that every one of them has its turn. */
const boxedMs = 45_000;

/** Plays a number of generated histories, or in a time box as many as fit, and prints how many they were. */
export async function playHistories(
  name: string,
  property: fc.IAsyncProperty<unknown[]>,
  count: number,
): Promise<void> {
  const end = Date.now() + (process.env.CAIRN_TEST_END ? boxedMs : Number.POSITIVE_INFINITY);
  const details = await fc.check(endingAt(end, property), {
    numRuns: count,
    seed: propertySeed,
    includeErrorInReport: true,
  });
  if (details.failed || details.numRuns === 0)
    throw new Error(fc.defaultReportMessage(details) ?? 'nothing was played');
  console.log(`${name}: ${details.numRuns} of ${count} histories, seed ${propertySeed}`);
}

/** A property that begins no run after a time. None is given up half-way, and the first always runs. */
function endingAt(end: number, property: fc.IAsyncProperty<unknown[]>): fc.IAsyncProperty<unknown[]> {
  let runs = 0;
  return {
    isAsync: () => true,
    generate: (random, id) => property.generate(random, id),
    shrink: value => property.shrink(value),
    runBeforeEach: () => property.runBeforeEach(),
    runAfterEach: () => property.runAfterEach(),
    run: async value => (runs++ > 0 && Date.now() > end ? new fc.PreconditionFailure(true) : await property.run(value)),
  };
}
