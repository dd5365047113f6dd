import { stringAscii, tuple, uint } from '../clarity/build.ts';
import type { ClarityValue } from '../clarity/value.ts';
import { structuredDataHash } from './structured-data.ts';

/** The calls of pox-4 that need a signer's consent, as its signature names them. */
export type ConsentTopic = 'stack-stx' | 'stack-extend' | 'stack-increase' | 'agg-commit' | 'agg-increase';

/** The terms of a signer: reward address, first cycle, period and maximum amount. */
export type SignerConsent = {
  topic: ConsentTopic | (string & {});
  /** `{version, hashbytes}`. */
  poxAddress: ClarityValue;
  rewardCycle: number | bigint;
  period: number | bigint;
  authId: bigint;
  maxAmount: bigint;
};

/** The hash that pox-4 lets a signer sign (SIP-018). */
export function signerConsentHash(consent: SignerConsent, chainId: number): Uint8Array {
  const domain = tuple({
    name: stringAscii('pox-4-signer'),
    version: stringAscii('1.0.0'),
    'chain-id': uint(chainId),
  });
  const message = tuple({
    'pox-addr': consent.poxAddress,
    'reward-cycle': uint(consent.rewardCycle),
    topic: stringAscii(consent.topic),
    period: uint(consent.period),
    'auth-id': uint(consent.authId),
    'max-amount': uint(consent.maxAmount),
  });
  return structuredDataHash(domain, message);
}
