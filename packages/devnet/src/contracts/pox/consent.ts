import { bool, buffer, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { bareHex } from '@cairn-stacks/codec/hex';
import { type ConsentTopic, signerConsentHash } from '@cairn-stacks/codec/transaction/signer-consent';
import { recoverKey } from '@cairn-stacks/codec/transaction/verification';
import {
  bytesArg,
  type CallContext,
  entryKey,
  type Outcome,
  readData,
  uintArg,
  type Write,
} from '../contract-model.ts';
import { poxError } from './errors.ts';

/** What a signer consents to. */
export type Terms = {
  topic: ConsentTopic | (string & {});
  poxAddress: ClarityValue;
  rewardCycle: number | bigint;
  period: number | bigint;
  amount: bigint;
};

/** The signer's part of the arguments: signature, key, maximum amount and number. */
export type SignerArguments = { signature: ClarityValue; key: Uint8Array; maxAmount: bigint; authId: bigint };

/** The signer arguments of a call, which begin at an index. */
export const signerArguments = (args: readonly ClarityValue[], from: number): SignerArguments => ({
  signature: args[from]!,
  key: bytesArg(args, from + 1),
  maxAmount: uintArg(args, from + 2),
  authId: uintArg(args, from + 3),
});

const authorization = ({ topic, poxAddress, rewardCycle, period }: Terms, signer: SignerArguments) =>
  tuple({
    'auth-id': uint(signer.authId),
    'max-amount': uint(signer.maxAmount),
    period: uint(period),
    'pox-addr': poxAddress,
    'reward-cycle': uint(rewardCycle),
    'signer-key': buffer(signer.key),
    topic: stringAscii(topic),
  });

/** The write by which a signer allows or forbids terms on the chain, without a signature. */
export const authorizationWrite = (
  { contract }: CallContext,
  terms: Terms,
  signer: SignerArguments,
  allowed: boolean,
): Write => ({
  key: entryKey(contract, 'signer-key-authorizations', authorization(terms, signer)),
  value: bool(allowed),
});

/** Why the terms do not have the consent of a signer; undefined if they have. */
export function consentRefusal(context: CallContext, terms: Terms, signer: SignerArguments): Outcome | undefined {
  const { state, contract, chainId, verify } = context;
  const { signature, key, maxAmount, authId } = signer;
  if (terms.amount > maxAmount) return poxError('authAmount');
  const subject = authorization(terms, signer);
  if (state.data.has(entryKey(contract, 'used-signer-key-authorizations', subject))) return poxError('authUsed');
  if (signature.type !== 'some') {
    const allowed = readData(state, entryKey(contract, 'signer-key-authorizations', subject));
    return allowed?.type === 'bool' && allowed.value ? undefined : poxError('notAllowed');
  }
  if (!verify) return undefined;
  const { amount: _, ...consent } = terms;
  const recovered = recoverSigner(
    signerConsentHash({ ...consent, maxAmount, authId }, chainId),
    bytesArg([signature], 0),
  );
  if (recovered === undefined) return poxError('signatureRecover');
  return bareHex(recovered) === bareHex(key) ? undefined : poxError('signatureKey');
}

/** Checks the signer's consent for a call; the returned write marks it as used when the call succeeds. */
export function useConsent(
  context: CallContext,
  args: readonly ClarityValue[],
  from: number,
  terms: Terms,
): Outcome | Write {
  const signer = signerArguments(args, from);
  const used = entryKey(context.contract, 'used-signer-key-authorizations', authorization(terms, signer));
  return consentRefusal(context, terms, signer) ?? { key: used, value: bool(true) };
}

export const isRefusal = (outcome: Outcome | Write): outcome is Outcome => 'result' in outcome;

/** The key that signed a hash, from r ‖ s ‖ v, the form of contracts; undefined if it is not a signature. */
export function recoverSigner(hash: Uint8Array, signature: Uint8Array): Uint8Array | undefined {
  if (signature.length !== 65 || signature[64]! > 3) return undefined;
  try {
    return recoverKey(hash, Uint8Array.of(signature[64]!, ...signature.subarray(0, 64)), 'compressed');
  } catch {
    return undefined;
  }
}
