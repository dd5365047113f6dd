import { createHash } from 'node:crypto';

/** One balance as the digest reads it. */
export const balanceLine = (asset: string, principal: string, balance: bigint | string) =>
  `${asset} ${principal} ${balance}`;

/** One NFT as the digest reads it; a burnt one has no owner. */
export const ownerLine = (asset: string, value: Uint8Array, owner: string) =>
  `${asset} ${Buffer.from(value).toString('hex')} ${owner}`;

const linesAtOnce = 10_000;

/** The hash of a block's changes on top of the hash before it. */
export function chainDigest(previous: Uint8Array, indexHash: Uint8Array, lines: string[]): Uint8Array {
  lines.sort();
  const hash = createHash('sha512-256').update(previous).update(indexHash);
  // A genesis has so many lines that one text of all would be held beside them.
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    hash.update(`${from === 0 ? '' : '\n'}${lines.slice(from, from + linesAtOnce).join('\n')}`);
  }
  return hash.digest();
}
