import type { ClarityJson } from '@cairn-stacks/codec/clarity/json';
import type { RosettaAmount } from '../schemas/rosetta.ts';

export const STX = { symbol: 'STX', decimals: 6 } as const;

/** A fungible or non-fungible token. */
export type Token = {
  type: 'ft' | 'nft';
  /** `CONTRACT::NAME`. */
  asset: string;
  /** Which item of a collection. */
  value?: ClarityJson | undefined;
};

/** An amount of micro-STX. */
export const stxAmount = (value: bigint): RosettaAmount => ({ value: value.toString(), currency: { ...STX } });

/** True for STX, and false for a token that bears its symbol. */
export const isStx = ({ symbol, metadata }: RosettaAmount['currency']): boolean =>
  symbol === STX.symbol && metadata?.asset_identifier === undefined;

/**
 * An amount of a token in its smallest unit. Symbol and decimals that its contract tells may change and are no part of the
 * chain: the symbol here is the name of the asset.
 */
export const tokenAmount = (amount: bigint, { type, asset, value }: Token): RosettaAmount => ({
  value: amount.toString(),
  currency: {
    symbol: asset.slice(asset.indexOf('::') + 2),
    decimals: 0,
    metadata: { token_type: type, asset_identifier: asset, ...(value && { value }) },
  },
});
