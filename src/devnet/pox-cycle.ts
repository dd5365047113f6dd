import { cycleLength } from './execution.ts';

/** The reward cycle of a burn height. */
export const cycleOf = (burnHeight: number) => Math.floor(burnHeight / cycleLength);

/** Where the weight of a signer in a cycle is remembered. */
export const signerPrefix = (contract: string, cycle: number) => `${contract} signer ${cycle} `;

/** Micro-STX of one reward slot: less cannot be stacked alone or committed by a pool. */
export const slotThreshold = 50_000_000_000n;
