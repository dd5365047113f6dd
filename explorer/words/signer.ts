import type { PoxSigner, SignerMetricsSigner } from '../api/schema.ts';

const KEY = /^(?:0x)?([0-9a-f]{66})$/i;

/** The key that an address of a page names, as responses write it; undefined if it names none. */
export function signerKey(text: string): string | undefined {
  const digits = KEY.exec(text)?.[1];
  return digits === undefined ? undefined : `0x${digits.toLowerCase()}`;
}

/** The signer that a page is about: by its key, or by the address of the key. */
export function signerIn(signers: readonly PoxSigner[], text: string): PoxSigner | undefined {
  const key = signerKey(text);
  return signers.find(signer => (key === undefined ? signer.signer_address === text : signer.signing_key === key));
}

/** How a signer answered the proposals of a cycle, as shares of all; undefined if nothing of the cycle was recorded. */
export function answersOf({
  proposals_accepted_count: accepted,
  proposals_rejected_count: rejected,
  proposals_missed_count: missed,
}: SignerMetricsSigner): { word: string; count: number; percent: number }[] | undefined {
  if (accepted === null || rejected === null || missed === null) return undefined;
  const all = accepted + rejected + missed;
  const percentOf = (count: number) => (all === 0 ? 0 : (count / all) * 100);
  return [
    { word: 'Approved', count: accepted, percent: percentOf(accepted) },
    { word: 'Rejected', count: rejected, percent: percentOf(rejected) },
    { word: 'No answer', count: missed, percent: percentOf(missed) },
  ];
}
