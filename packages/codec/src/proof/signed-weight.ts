import { type NakamotoHeader, nakamotoBlockHash } from '../block/nakamoto-block.ts';
import { bareHex } from '../hex.ts';
import { recoverKey } from '../transaction/verification.ts';

/** A signer of a reward cycle: its compressed public key in hex, without `0x`, and its weight. */
export type WeightedSigner = { key: string; weight: number };

/** The weight that must have signed: 70 %, rounded up. */
export const thresholdOf = (total: number): number => Math.ceil((7 * total) / 10);

/** Who signed a block, and how much that weighs; `problem` says which signature does not count. */
export type SignedWeight = { weight: number; total: number; threshold: number; signers: string[]; problem?: string };

/** From this version of headers on, signatures are in the order of the keys. */
const ORDERED = 1;

/** Counts the signatures of a header by the signers of its cycle. */
export function signedWeight(header: NakamotoHeader, set: readonly WeightedSigner[]): SignedWeight {
  const total = set.reduce((sum, { weight }) => sum + weight, 0);
  const counted: SignedWeight = { weight: 0, total, threshold: thresholdOf(total), signers: [] };
  const weights = new Map(set.map(({ key, weight }) => [key, weight]));
  const hash = nakamotoBlockHash(header);
  const seen = new Set<string>();
  let last = '';
  for (const [i, signature] of header.signerSignatures.entries()) {
    const key = keyOf(hash, signature);
    const weight = key === undefined ? undefined : weights.get(key);
    if (key === undefined) return { ...counted, problem: `signature ${i} is none` };
    if (weight === undefined)
      return { ...counted, problem: `signature ${i} is of ${key}, which is no signer of the cycle` };
    if (seen.has(key)) return { ...counted, problem: `signature ${i} is of ${key}, which has signed before` };
    if ((header.version & 0x7f) >= ORDERED && key < last) {
      return { ...counted, problem: `signature ${i} is not in the order of the keys` };
    }
    seen.add(key);
    last = key;
    counted.weight += weight;
    counted.signers.push(key);
  }
  return counted;
}

function keyOf(hash: Uint8Array, signature: Uint8Array): string | undefined {
  try {
    return bareHex(recoverKey(hash, signature, 'compressed'));
  } catch {
    // The curve library throws on any invalid signature.
    return undefined;
  }
}
