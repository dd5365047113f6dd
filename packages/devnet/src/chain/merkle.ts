import { sha512_256 } from '@cairn-stacks/codec/hash';

/** The Merkle root of transaction ids in block headers (SIP-005): tagged leaves and nodes; an odd last node is duplicated. */
export function merkleRoot(ids: readonly Uint8Array[]): Uint8Array {
  if (ids.length === 0) return new Uint8Array(32);
  let level = ids.map(id => sha512_256(Uint8Array.of(0, ...id)));
  do {
    const next: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i]!;
      next.push(sha512_256(Uint8Array.of(1, ...left, ...(level[i + 1] ?? left))));
    }
    level = next;
  } while (level.length > 1);
  return level[0]!;
}
