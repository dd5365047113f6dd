import { principalToBytes } from '../codec/address/principal.ts';
import { CodecError } from '../codec/error.ts';
import { RosettaError } from './errors.ts';

/** The binary form of an address; throws the error of an invalid account. */
export function principalOf(address: string): Uint8Array {
  try {
    return principalToBytes(address);
  } catch (error) {
    if (error instanceof CodecError) throw new RosettaError(601);
    throw error;
  }
}
