import { sha512_256 } from '@cairn-stacks/codec/hash';
import { type InclusionProof, readSignerSet, verifyInclusion } from '@cairn-stacks/codec/proof/inclusion-proof';
import { merklePath, merkleRootOf, rootByPath } from '@cairn-stacks/codec/proof/merkle-path';
import { thresholdOf } from '@cairn-stacks/codec/proof/signed-weight';
import { describe, expect, test } from 'vitest';
import { forgeries, good, proofOf, set, seven, signedBy } from '../support/proofs.ts';

const idAt = (i: number) => sha512_256(Uint8Array.of(i));
const idsOf = (count: number) => Array.from({ length: count }, (_, i) => idAt(i));
const hash = (...parts: (number | Uint8Array)[]) =>
  sha512_256(Uint8Array.from(parts.flatMap(part => (typeof part === 'number' ? [part] : [...part]))));

describe('the tree of a block', () => {
  const [a, b, c] = [0, 1, 2].map(i => hash(0, idAt(i))) as [Uint8Array, Uint8Array, Uint8Array];

  test('repeats the last hash of every level, also a single leaf', () => {
    expect(merkleRootOf(idsOf(1))).toEqual(hash(1, a, a));
    expect(merkleRootOf(idsOf(2))).toEqual(hash(1, a, b));
    expect(merkleRootOf(idsOf(3))).toEqual(hash(1, hash(1, a, b), hash(1, c, c)));
    const d = hash(1, hash(0, idAt(4)), hash(0, idAt(4)));
    const lower = hash(1, hash(1, a, b), hash(1, c, hash(0, idAt(3))));
    expect(merkleRootOf(idsOf(5))).toEqual(hash(1, lower, hash(1, d, d)));
  });

  test('has a path from each id to its root, and from no other id', () => {
    for (const count of [1, 2, 3, 4, 5, 7, 8, 9, 33]) {
      const ids = idsOf(count);
      const root = merkleRootOf(ids);
      for (const [i, id] of ids.entries()) {
        const path = merklePath(ids, i);
        expect([count, i, rootByPath(id, path)]).toEqual([count, i, root]);
        expect(rootByPath(idAt(200), path)).not.toEqual(root);
      }
    }
    expect(merklePath(idsOf(1), 0)).toEqual([{ position: 'right', hash: a }]);
    expect(() => merklePath(idsOf(2), 2)).toThrow(RangeError);
  });
});

test('a proof is accepted with 70 % of the weight, rounded up', () => {
  expect([thresholdOf(10), thresholdOf(3862), thresholdOf(1), thresholdOf(3)]).toEqual([7, 2704, 1, 3]);
  const verdict = verifyInclusion(proofOf(signedBy(seven)), set);
  expect(verdict).toMatchObject({ valid: true, signed: { weight: 7, total: 10, threshold: 7 } });
  expect(verifyInclusion(proofOf(signedBy(seven.slice(1))), set)).toEqual({
    valid: false,
    step: 'signers',
    reason: 'signed by 6 of 10, 7 needed',
  });
  expect(verifyInclusion(proofOf(signedBy(seven)))).toEqual({ valid: true, signed: undefined });
  for (const index of [0, 2]) expect(verifyInclusion(proofOf(signedBy(seven), index), set).valid).toBe(true);
});

test('headers of 4.0 have markers, and signatures in the order of their keys', () => {
  const change = { version: 1, problematicTransactions: [{ index: 2, category: 1 }] };
  expect(verifyInclusion(proofOf(signedBy(seven, change)), set)).toMatchObject({ valid: true });
  const swapped = [1, 0, ...seven.slice(2)];
  expect(verifyInclusion(proofOf(signedBy(swapped, change)), set)).toMatchObject({
    step: 'signers',
    reason: expect.stringContaining('order'),
  });
  expect(verifyInclusion(proofOf(signedBy(swapped)), set)).toMatchObject({ valid: true });
});

test('a shadow block proves nothing, and its weight is not counted', () => {
  const shadow = verifyInclusion(proofOf(signedBy(seven, { version: 0x80 })), set);
  expect(shadow).toMatchObject({ valid: false, step: 'signers', reason: expect.stringContaining('shadow') });
});

test('the same key does not count twice, and others not at all', () => {
  expect(verifyInclusion(proofOf(signedBy([0, ...seven])), set)).toMatchObject({
    reason: expect.stringContaining('signed before'),
  });
  const few = set.slice(1);
  expect(verifyInclusion(proofOf(signedBy(seven)), few)).toMatchObject({
    reason: expect.stringContaining('no signer'),
  });
  const header = signedBy(seven);
  header.signerSignatures[0] = new Uint8Array(65).fill(9);
  expect(verifyInclusion(proofOf(header), set)).toMatchObject({ step: 'signers', reason: 'signature 0 is none' });
  expect(verifyInclusion(proofOf(signedBy(seven)), [])).toMatchObject({ valid: false, step: 'signers' });
});

test.each(forgeries)('a proof with %s is refused with the step that fails', (_, change, step) => {
  const verdict = verifyInclusion({ ...good, ...change } as InclusionProof, set);
  expect(verdict).toMatchObject({ valid: false, step, reason: expect.any(String) });
});

test('what is no proof at all is refused for its format', () => {
  for (const none of [null, undefined, 'x', 5, []])
    expect(verifyInclusion(none as never, set)).toMatchObject({ valid: false, step: 'format' });
});

test('signers are read from a node or a proof, and from nothing else', () => {
  const told = set.map(({ key, weight }) => ({ signing_key: `0x${key}`, weight }));
  expect(readSignerSet({ stacker_set: { signers: told } })).toEqual(set);
  expect(readSignerSet({ signers: told })).toEqual(set);
  for (const bad of [
    null,
    {},
    { signers: 'x' },
    { signers: [{ signing_key: '0x02', weight: 1 }] },
    { signers: [null] },
  ]) {
    expect(readSignerSet(bad)).toBeUndefined();
  }
  expect(readSignerSet({ signers: [{ ...told[0], weight: 1.5 }] })).toBeUndefined();
});
