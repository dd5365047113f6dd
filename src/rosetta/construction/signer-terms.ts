import { fromHex } from '@cairn-stacks/codec/hex';
import { RosettaError } from '../errors.ts';
import type { ConstructionOptions } from '../schemas/construction.ts';
import { attempt, readPoxAddress } from './address.ts';

/** The key of a signer, 33 bytes. */
export function readSignerKey(text: string | undefined): Uint8Array {
  const key = text === undefined ? undefined : attempt(() => fromHex(text));
  if (key?.length !== 33) throw new RosettaError(621, 'signer_key must be a public key of 33 bytes');
  return key;
}

/** The limits of a signer: the maximum amount, and the id of the consent. */
export function readLimits(
  { pox_max_amount, pox_auth_id = 0 }: Pick<ConstructionOptions, 'pox_max_amount' | 'pox_auth_id'>,
  amount: bigint,
) {
  const limits = { maxAmount: BigInt(pox_max_amount ?? amount), authId: BigInt(pox_auth_id) };
  if (limits.maxAmount >> 128n || limits.authId >> 128n) throw new RosettaError(621, 'a number has at most 128 bits');
  return limits;
}

export function needPoxAddress(text: string | undefined) {
  const address = text === undefined ? undefined : readPoxAddress(text);
  if (!address) throw new RosettaError(621, 'pox_addr must be a Bitcoin address');
  return address;
}
