import type { PoxAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { type ConsentTopic, signerConsentHash } from '@cairn-stacks/codec/transaction/signer-consent';
import { signHash } from '@cairn-stacks/codec/transaction/signing';
import { poxAddressTuple } from './plan.ts';

/** The terms of a signer: reward address, first cycle, period and maximum amount. */
export type Consent = {
  topic: ConsentTopic;
  poxAddress: PoxAddress;
  rewardCycle: number;
  cycles: number;
  authId: bigint;
  maxAmount: bigint;
};

/** The hash that a signer signs for a call of pox-4 (SIP-018). */
function consentHash({ poxAddress, cycles, ...consent }: Consent, chainId: number): Uint8Array {
  return signerConsentHash({ ...consent, poxAddress: poxAddressTuple(poxAddress), period: cycles }, chainId);
}

/** The signature in the form of contracts: r ‖ s ‖ v. */
export function signConsent(consent: Consent, chainId: number, secret: Uint8Array): Uint8Array {
  const signature = signHash(consentHash(consent, chainId), secret);
  return Uint8Array.of(...signature.subarray(1), signature[0]!);
}
