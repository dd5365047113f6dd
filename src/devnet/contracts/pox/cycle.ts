/** Burn blocks of a reward cycle of the simulated chain. */
export const cycleLength = 20;

/** Burn blocks at the end of a cycle in which the next one is prepared. */
export const prepareLength = 5;

/** True in the prepare phase, in which nobody has a reward slot. */
export const isPreparing = (burnHeight: number) => burnHeight % cycleLength >= cycleLength - prepareLength;

/** The reward cycle of a burn height. */
export const cycleOf = (burnHeight: number) => Math.floor(burnHeight / cycleLength);

/** Where the weight of a signer in a cycle is remembered. */
export const signerPrefix = (contract: string, cycle: number) => `${contract} signer ${cycle} `;

/** Micro-STX of one reward slot: less cannot be stacked alone or committed by a pool. */
export const slotThreshold = 50_000_000_000n;
