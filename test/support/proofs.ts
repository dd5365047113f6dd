import {
  encodeNakamotoHeader,
  type NakamotoHeader,
  nakamotoBlockHash,
  nakamotoBlockId,
} from '@cairn-stacks/codec/block/nakamoto-block';
import { sha512_256 } from '@cairn-stacks/codec/hash';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import { publicKeyOf } from '@cairn-stacks/codec/keys';
import type { InclusionProof, ProofStep } from '@cairn-stacks/codec/proof/inclusion-proof';
import { merklePath, merkleRootOf } from '@cairn-stacks/codec/proof/merkle-path';
import type { WeightedSigner } from '@cairn-stacks/codec/proof/signed-weight';
import { signHash } from '@cairn-stacks/codec/transaction/signing';

const keys = Array.from({ length: 10 }, (_, i) => ({
  secret: Uint8Array.from({ length: 32 }, (__, at) => (at === 31 ? i + 1 : 7)),
  keyEncoding: 'compressed' as const,
}));
const signerOf = (key: (typeof keys)[number]) => ({ key, name: bareHex(publicKeyOf(key)) });
const signers = keys.map(signerOf).sort((x, y) => (x.name < y.name ? -1 : 1));
/** Ten signers of equal weight, in the order of their keys. */
export const set: WeightedSigner[] = signers.map(({ name }) => ({ key: name, weight: 1 }));

export const raws = [1, 2, 3].map(i => Uint8Array.of(i, i));
export const ids = raws.map(raw => sha512_256(raw));

function headerOf(change: Partial<NakamotoHeader> = {}): NakamotoHeader {
  return {
    version: 0,
    chainLength: 77n,
    burnSpent: 5n,
    consensusHash: new Uint8Array(20).fill(4),
    parentBlockId: new Uint8Array(32).fill(5),
    transactionMerkleRoot: merkleRootOf(ids),
    stateRoot: new Uint8Array(32).fill(6),
    timestamp: 1_760_000_000n,
    minerSignature: new Uint8Array(65).fill(1),
    signerSignatures: [],
    poxTreatment: { length: 2, bytes: Uint8Array.of(3) },
    problematicTransactions: [],
    ...change,
  };
}

/** Signed by the signers at these places, in this order. */
export const signedBy = (places: readonly number[], change: Partial<NakamotoHeader> = {}) => {
  const header = headerOf(change);
  header.signerSignatures = places.map(place => signHash(nakamotoBlockHash(header), signers[place]!.key.secret));
  return header;
};

export const proofOf = (header: NakamotoHeader, index = 1): InclusionProof => ({
  txid: toHex(ids[index]!),
  index_block_hash: toHex(nakamotoBlockId(header)),
  block_height: 77,
  tx_index: index,
  raw_tx: toHex(raws[index]!),
  raw_header: toHex(encodeNakamotoHeader(header)),
  tx_merkle_path: merklePath(ids, index).map(({ position, hash: beside }) => ({ position, hash: toHex(beside) })),
});

/** The places of seven of them: as many as are needed. */
export const seven = [0, 1, 2, 3, 4, 5, 6];

export const good = proofOf(signedBy(seven));
const flipped = (hex: string, at: number) => hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);

/** What makes a proof a forged one, and the step that it fails at. */
export const forgeries: [string, Partial<Record<keyof InclusionProof, unknown>>, ProofStep][] = [
  ['other bytes', { raw_tx: flipped(good.raw_tx, 3) }, 'transaction'],
  ['another id', { txid: flipped(good.txid, 9) }, 'transaction'],
  ['another transaction', { txid: toHex(ids[0]!), raw_tx: toHex(raws[0]!) }, 'path'],
  ['another side', { tx_merkle_path: good.tx_merkle_path.map(step => ({ ...step, position: 'right' })) }, 'path'],
  ['a shorter path', { tx_merkle_path: good.tx_merkle_path.slice(1) }, 'path'],
  ['another index', { tx_index: 0 }, 'path'],
  ['another block', { index_block_hash: flipped(good.index_block_hash, 9) }, 'header'],
  ['another height', { block_height: 78 }, 'header'],
  ['a header with another state', { raw_header: flipped(good.raw_header, 2 + 2 * 110) }, 'header'],
  ['a header with another root', { raw_header: flipped(good.raw_header, 2 + 2 * 75) }, 'path'],
  ['half a header', { raw_header: good.raw_header.slice(0, 200) }, 'format'],
  ['no header', { raw_header: undefined }, 'format'],
  ['no hex', { txid: 'zz' }, 'format'],
  ['no path', { tx_merkle_path: 'x' }, 'format'],
  ['a step that is none', { tx_merkle_path: [null] }, 'format'],
  ['an endless path', { tx_merkle_path: Array.from({ length: 33 }, () => good.tx_merkle_path[0]) }, 'format'],
  ['a height that is none', { block_height: -1 }, 'format'],
];
