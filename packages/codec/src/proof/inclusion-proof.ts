import { sha512_256 } from '#hash';
import { decodeNakamotoHeader, type NakamotoHeader, nakamotoBlockId } from '../block/nakamoto-block.ts';
import { CodecError } from '../error.ts';
import { bareHex, fromHex } from '../hex.ts';
import { rootByPath } from './merkle-path.ts';
import { type SignedWeight, signedWeight, type WeightedSigner } from './signed-weight.ts';

/** A proof that a block holds a transaction, as the API gives it; hashes and bytes are hex. */
export type InclusionProof = {
  txid: string;
  index_block_hash: string;
  block_height: number;
  tx_index: number;
  raw_tx: string;
  raw_header: string;
  tx_merkle_path: { position: 'left' | 'right'; hash: string }[];
};

/** The steps of a verification, in their order. */
export type ProofStep = 'format' | 'transaction' | 'path' | 'header' | 'signers';

export type ProofVerdict =
  /** `signed` is undefined where no signers were given: then the block is proven only if its id is known otherwise. */
  { valid: true; signed: SignedWeight | undefined } | { valid: false; step: ProofStep; reason: string };

/** No block has more transactions than 2 to the power of this. */
const LONGEST_PATH = 32;
const SHADOW = 0x80;

/**
 * Checks a proof without trust in who gave it: that the bytes are the transaction, that they are in the tree of the header, that
 * the header is that of the block, and that signers of the given set, which must come from elsewhere, have signed it.
 */
export function verifyInclusion(proof: InclusionProof, signers?: readonly WeightedSigner[]): ProofVerdict {
  const read = readProof(proof);
  if ('reason' in read) return { valid: false, step: 'format', reason: read.reason };
  const { id, raw, header, path } = read;
  const fail = (step: ProofStep, reason: string): ProofVerdict => ({ valid: false, step, reason });
  if (!isEqual(sha512_256(raw), id)) return fail('transaction', 'raw_tx is another transaction than txid');
  const root = rootByPath(id, path);
  if (!isEqual(root, header.transactionMerkleRoot)) {
    return fail('path', 'tx_merkle_path does not lead from txid to the root in raw_header');
  }
  if (indexBy(path) !== proof.tx_index) return fail('path', 'tx_merkle_path is not that of tx_index');
  if (bareHex(nakamotoBlockId(header)) !== bare(proof.index_block_hash)) {
    return fail('header', 'raw_header is another block than index_block_hash');
  }
  if (header.chainLength !== BigInt(proof.block_height)) return fail('header', 'raw_header has another height');
  if (!signers) return { valid: true, signed: undefined };
  if ((header.version & SHADOW) !== 0) return fail('signers', 'nobody signs a shadow block, so it proves nothing');
  const signed = signedWeight(header, signers);
  if (signed.problem !== undefined) return fail('signers', signed.problem);
  if (signed.total === 0 || signed.weight < signed.threshold) {
    return fail('signers', `signed by ${signed.weight} of ${signed.total}, ${signed.threshold} needed`);
  }
  return { valid: true, signed };
}

type ReadProof = { id: Uint8Array; raw: Uint8Array; header: NakamotoHeader; path: Step[] };
type Step = { position: 'left' | 'right'; hash: Uint8Array };

function readProof(proof: InclusionProof | null | undefined): ReadProof | { reason: string } {
  if (typeof proof !== 'object' || proof === null) return { reason: 'a proof is an object' };
  const bytes = (name: 'txid' | 'raw_tx' | 'raw_header', length?: number) => {
    const value = bytesOf(proof[name], length);
    if (!value) throw new CodecError(`${name} must be ${length === undefined ? 'bytes' : `${length} bytes`} in hex`, 0);
    return value;
  };
  try {
    if (!bytesOf(proof.index_block_hash, 32)) return { reason: 'index_block_hash must be 32 bytes in hex' };
    if (!Number.isSafeInteger(proof.block_height) || proof.block_height < 0) {
      return { reason: 'block_height must be a height' };
    }
    const steps: unknown = proof.tx_merkle_path;
    if (!Array.isArray(steps) || steps.length > LONGEST_PATH) {
      return { reason: `tx_merkle_path must be a list of at most ${LONGEST_PATH} steps` };
    }
    const path: Step[] = [];
    for (const [i, step] of (steps as InclusionProof['tx_merkle_path']).entries()) {
      const hash = bytesOf(step?.hash, 32);
      if (!hash || (step.position !== 'left' && step.position !== 'right')) {
        return { reason: `tx_merkle_path[${i}] must have a position, left or right, and a hash of 32 bytes` };
      }
      path.push({ position: step.position, hash });
    }
    return { id: bytes('txid', 32), raw: bytes('raw_tx'), header: decodeNakamotoHeader(bytes('raw_header')), path };
  } catch (error) {
    if (error instanceof CodecError || error instanceof RangeError) return { reason: error.message };
    throw error;
  }
}

function bytesOf(text: unknown, length?: number): Uint8Array | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const bytes = fromHex(text);
    return length === undefined || bytes.length === length ? bytes : undefined;
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}

/** The index of the leaf that a path begins at; a repeated last leaf is at its own index. */
const indexBy = (path: readonly Step[]): number =>
  path.reduce((index, { position }, height) => index + (position === 'left' ? 2 ** height : 0), 0);

const bare = (hex: string) => hex.replace(/^0x/i, '').toLowerCase();
const isEqual = (a: Uint8Array, b: Uint8Array) => bareHex(a) === bareHex(b);

/** The signers of a reward set, as `/v3/stacker_set/{cycle}` of a node or a proof has it; undefined if it is none. */
export function readSignerSet(json: unknown): WeightedSigner[] | undefined {
  const outer = json as { stacker_set?: { signers?: unknown }; signers?: unknown } | null | undefined;
  const signers = outer?.stacker_set?.signers ?? outer?.signers;
  if (!Array.isArray(signers)) return undefined;
  const set = signers.map(signer => {
    const { signing_key, weight } = (signer ?? {}) as { signing_key?: unknown; weight?: unknown };
    const key = bytesOf(signing_key, 33);
    return key && Number.isSafeInteger(weight) && Number(weight) >= 0
      ? { key: bareHex(key), weight: Number(weight) }
      : undefined;
  });
  return set.every(signer => signer !== undefined) ? set : undefined;
}
