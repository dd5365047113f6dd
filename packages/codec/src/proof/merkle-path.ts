import { sha512_256 } from '#hash';

/** The hash beside one of the way from a leaf to the root, and on which side it is. */
export type MerkleStep = { position: 'left' | 'right'; hash: Uint8Array };

const leafOf = (id: Uint8Array) => sha512_256(Uint8Array.of(0, ...id));
const nodeOf = (left: Uint8Array, right: Uint8Array) => sha512_256(Uint8Array.of(1, ...left, ...right));

/** The levels of the tree of transaction ids below its root, the leaves first; every level is even (SIP-005). */
function levelsOf(ids: readonly Uint8Array[]): Uint8Array[][] {
  const levels = [evened(ids.map(leafOf))];
  for (let level = levels[0]!; level.length > 2; level = levels.at(-1)!) {
    const next: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) next.push(nodeOf(level[i]!, level[i + 1]!));
    levels.push(evened(next));
  }
  return levels;
}

/** The last hash is repeated where their number is odd; so a single leaf has itself beside it. */
const evened = (hashes: Uint8Array[]) => (hashes.length % 2 === 0 ? hashes : [...hashes, hashes.at(-1)!]);

/** The Merkle root of transaction ids as block headers have it. */
export function merkleRootOf(ids: readonly Uint8Array[]): Uint8Array {
  if (ids.length === 0) return new Uint8Array(32);
  const [left, right] = levelsOf(ids).at(-1)!;
  return nodeOf(left!, right!);
}

/** The way from the id at an index to the root, lowest step first. */
export function merklePath(ids: readonly Uint8Array[], index: number): MerkleStep[] {
  if (index < 0 || index >= ids.length) throw new RangeError(`no id ${index} among ${ids.length}`);
  return levelsOf(ids).map((level, height) => {
    const at = index >> height;
    return at % 2 === 0 ? { position: 'right', hash: level[at + 1]! } : { position: 'left', hash: level[at - 1]! };
  });
}

/** The root to which a path leads from a transaction id. */
export function rootByPath(id: Uint8Array, path: readonly MerkleStep[]): Uint8Array {
  return path.reduce(
    (hash, step) => (step.position === 'right' ? nodeOf(hash, step.hash) : nodeOf(step.hash, hash)),
    leafOf(id),
  );
}
