import { bitcoinToPoxAddress, stacksToBitcoinAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { isAddress } from '@cairn-stacks/codec/address/c32';
import { CodecError } from '@cairn-stacks/codec/error';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';

/** An address of the burn chain. */
export const BitcoinAddressParam = Type.String({
  description: 'A Bitcoin address. A Stacks address stands for the Bitcoin address with the same hash.',
});

/** The Bitcoin address a caller means; a 400, which may name it, when it is none. */
export function bitcoinAddressOf(text: string, { named = true } = {}): string {
  const stacks = text.toUpperCase();
  try {
    if (isAddress(stacks)) return stacksToBitcoinAddress(stacks);
    bitcoinToPoxAddress(text);
    return text;
  } catch (error) {
    if (error instanceof CodecError)
      throw badRequest(`Address ${named ? `${text} ` : ''}is not a valid Bitcoin or STX address.`);
    throw error;
  }
}
