import type { RosettaAmount } from '../schemas/rosetta.ts';

export const STX = { symbol: 'STX', decimals: 6 } as const;

/** An amount of micro-STX. */
export const stxAmount = (value: bigint): RosettaAmount => ({ value: value.toString(), currency: { ...STX } });
