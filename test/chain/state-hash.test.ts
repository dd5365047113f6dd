import { sha512_256 } from '@cairn-stacks/codec/hash';
import { expect, test } from 'vitest';
import { chainDigest } from '../../src/chain/state-hash.ts';

const previous = Buffer.alloc(32, 1);
const indexHash = Buffer.alloc(32, 2);

test.each([0, 1, 9_999, 10_000, 10_001, 25_000])('the digest of %i lines is the hash of their sorted text', count => {
  const lines = Array.from({ length: count }, (_, i) => `stx S${(i * 7919) % 65_536} ${i}`);
  const text = [...lines].sort().join('\n');
  const expected = sha512_256(Buffer.concat([previous, indexHash, Buffer.from(text)]));
  expect(Buffer.from(chainDigest(previous, indexHash, lines))).toEqual(Buffer.from(expected));
});
