import { sha256 } from '#hash';
import { encodeClarity } from '../clarity/encode.ts';
import type { ClarityValue } from '../clarity/value.ts';
import { encodeUtf8 } from '../utf8.ts';

const PREFIX = encodeUtf8('SIP018');

/** The hash that is signed of a message meant for one application and chain, its domain (SIP-018). */
export function structuredDataHash(domain: ClarityValue, message: ClarityValue): Uint8Array {
  const [domainHash, messageHash] = [sha256(encodeClarity(domain)), sha256(encodeClarity(message))];
  return sha256(Uint8Array.of(...PREFIX, ...domainHash, ...messageHash));
}
