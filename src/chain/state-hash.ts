import { sha512_256 } from '../codec/hash.ts';

/** One balance as the digest reads it. */
export const balanceLine = (asset: string, principal: string, balance: bigint | string) =>
  `${asset} ${principal} ${balance}`;

/** One NFT as the digest reads it; a burnt one has no owner. */
export const ownerLine = (asset: string, value: Uint8Array, owner: string) =>
  `${asset} ${Buffer.from(value).toString('hex')} ${owner}`;

/** The hash of a block's changes on top of the hash before it. */
export function chainDigest(previous: Uint8Array, indexHash: Uint8Array, lines: string[]): Uint8Array {
  lines.sort();
  return sha512_256(Buffer.concat([previous, indexHash, Buffer.from(lines.join('\n'))]));
}
