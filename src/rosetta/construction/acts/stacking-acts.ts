import { uint } from '@cairn-stacks/codec/clarity/build';
import { fromHex } from '@cairn-stacks/codec/hex';
import { callPayload } from '@cairn-stacks/codec/transaction/build';
import { Type } from 'typebox';
import { RosettaError } from '../../errors.ts';
import { stackingFields } from '../../schemas/construction.ts';
import { attempt } from '../address.ts';
import { poxAddressTuple, type SignerTerms, signerArguments } from '../plan.ts';
import { needPoxAddress, readLimits, readSignerKey } from '../signer-terms.ts';
import { act } from './act.ts';

const { number_of_cycles, pox_addr, signer_key, ...consent } = stackingFields;
const signer = { signer_key, ...consent };
const onlyPox4 = { first: 4, last: 4 };

type ConsentTerms = {
  signer_key?: string;
  signer_signature?: string;
  signer_private_key?: string;
  pox_max_amount?: string | number;
  pox_auth_id?: string | number;
};

/** The arguments about the signer; a signature that is still to be made has a placeholder. */
function signerOf(terms: ConsentTerms, amount: bigint): SignerTerms {
  const { signer_signature: text, signer_private_key: secret } = terms;
  const signature = text === undefined ? undefined : attempt(() => fromHex(text));
  if (text !== undefined && signature?.length !== 65) throw new RosettaError(621, 'signer_signature has 65 bytes');
  const placeholder = secret === undefined ? undefined : new Uint8Array(65);
  return { key: readSignerKey(terms.signer_key), signature: signature ?? placeholder, ...readLimits(terms, amount) };
}

/** Locks what is locked for more cycles. */
export const stackExtend = act({
  type: 'stack_extend',
  amount: 'none',
  versions: onlyPox4,
  consent: 'stack-extend',
  terms: Type.Object({ number_of_cycles, pox_addr, ...signer }),
  payload(terms, { contract }) {
    const address = poxAddressTuple(needPoxAddress(terms.pox_addr));
    const args = [uint(terms.number_of_cycles), address, ...signerArguments(signerOf(terms, 0n))];
    return callPayload(contract, 'stack-extend', args);
  },
});

/** Locks more STX for as long as those that are locked. */
export const stackIncrease = act({
  type: 'stack_increase',
  amount: 'required',
  versions: onlyPox4,
  consent: 'stack-increase',
  // A consent names the reward address and the length of the lock; the call does not.
  terms: Type.Object({ number_of_cycles: Type.Optional(number_of_cycles), pox_addr, ...signer }),
  payload: (terms, { contract, amount }) =>
    callPayload(contract, 'stack-increase', [uint(amount), ...signerArguments(signerOf(terms, amount))]),
});

/** Ends a delegation. */
export const revokeDelegateStx = act({
  type: 'revoke_delegate_stx',
  amount: 'none',
  versions: { first: 1, last: 4 },
  terms: Type.Object({}),
  payload: (_terms, { contract }) => callPayload(contract, 'revoke-delegate-stx', []),
});
