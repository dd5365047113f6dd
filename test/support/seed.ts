/**
 * The seed of every property test. It is fixed, so that a run can be repeated and a failure is a change of the code; `npm run
 * bench -- histories` passes random ones.
 */
export const propertySeed = Number(process.env.HISTORY_SEED ?? 20_261_118);
