import type { PoxAddress } from '../../codec/bitcoin-address.ts';
import { stringAscii, tuple, uint } from '../../codec/clarity-build.ts';
import { signHash } from '../../codec/signing.ts';
import { structuredDataHash } from '../../codec/structured-data.ts';
import { poxAddressTuple } from './plan.ts';

/** What a signer agrees to: who is rewarded, from which cycle, how long, and how much at most. */
export type Consent = {
  poxAddress: PoxAddress;
  rewardCycle: number;
  cycles: number;
  authId: bigint;
  maxAmount: bigint;
};

/** The hash that pox-4 lets a signer sign for `stack-stx` (SIP-018). */
export function consentHash({ poxAddress, rewardCycle, cycles, authId, maxAmount }: Consent, chainId: number) {
  const domain = tuple({
    name: stringAscii('pox-4-signer'),
    version: stringAscii('1.0.0'),
    'chain-id': uint(chainId),
  });
  const message = tuple({
    'pox-addr': poxAddressTuple(poxAddress),
    'reward-cycle': uint(rewardCycle),
    topic: stringAscii('stack-stx'),
    period: uint(cycles),
    'auth-id': uint(authId),
    'max-amount': uint(maxAmount),
  });
  return structuredDataHash(domain, message);
}

/** The signature as contracts take it: r ‖ s ‖ v. */
export function signConsent(consent: Consent, chainId: number, secret: Uint8Array): Uint8Array {
  const signature = signHash(consentHash(consent, chainId), secret);
  return Uint8Array.of(...signature.subarray(1), signature[0]!);
}
