/** Burn blocks per reward cycle of the simulated chain. */
export const cycleLength = 20;

/** Burn blocks of the prepare phase at the end of a cycle. */
export const prepareLength = 5;

/** True in the prepare phase, which has no reward slots. */
export const isPreparing = (burnHeight: number) => burnHeight % cycleLength >= cycleLength - prepareLength;

/** The reward cycle of a burn height. */
export const cycleOf = (burnHeight: number) => Math.floor(burnHeight / cycleLength);

/** The key of the weight of a signer in a cycle. */
export const signerPrefix = (contract: string, cycle: number) => `${contract} signer ${cycle} `;

/** Micro-STX of one reward slot: the minimum to stack alone or to commit as a pool. */
export const slotThreshold = 50_000_000_000n;
