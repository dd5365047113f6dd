import {
  type InclusionProof,
  type ProofVerdict,
  readSignerSet,
  verifyInclusion,
} from '@cairn-stacks/codec/proof/inclusion-proof';
import { askSigners, UnknownSignersError } from '@cairn-stacks/codec/proof/node-signers';
import type { WeightedSigner } from '@cairn-stacks/codec/proof/signed-weight';
import { readError } from './api-error.ts';

/** Where the signers of the block come from: never from the service that made the proof. */
export type ProofTrust = {
  /** The transaction that must be proven, where the proof was asked for by its id. */
  txId?: string;
  signal?: AbortSignal;
} & (
  | {
      /** The signers of the cycle in which the miner of the block was elected: a response of `/v3/stacker_set/{cycle}`. */
      signers: object;
    }
  | {
      /** URL of a node that is asked for the cycle and its signers: one that does not belong to the service. */
      node: string;
      /** In place of the `fetch` of the platform. */
      fetch?: typeof fetch;
    }
);

/**
 * Checks a response of `get_transaction_proof` without trust in the service: the verdict names the step that fails. Rejects if the
 * signers cannot be learned, so that nothing is known.
 */
export async function verifyProof(proof: InclusionProof, trust: ProofTrust): Promise<ProofVerdict> {
  const signers = await signersFrom(proof, trust);
  const verdict = verifyInclusion(proof, signers);
  if (!verdict.valid || trust.txId === undefined) return verdict;
  return bare(trust.txId) === bare(proof.txid)
    ? verdict
    : { valid: false, step: 'transaction', reason: `the proof is of ${proof.txid}, not of ${trust.txId}` };
}

async function signersFrom(proof: InclusionProof, trust: ProofTrust): Promise<WeightedSigner[]> {
  if ('signers' in trust) {
    const set = readSignerSet(trust.signers);
    if (!set) throw new TypeError('signers must be a response of /v3/stacker_set/{cycle} of a node');
    return set;
  }
  if (typeof trust.node !== 'string') throw new TypeError('give the signers, or a node that tells them');
  const { node, signal, fetch: send = fetch } = trust;
  const ask = async (path: string): Promise<unknown> => {
    const response = await send(node.replace(/\/+$/, '') + path, signal ? { signal } : {});
    if (!response.ok) throw await readError(response);
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new UnknownSignersError(`the node responds to ${path} with something else than JSON`, { cause });
    }
  };
  // Without a header that can be read there is no cycle to ask for, and the proof is refused before signers matter.
  return (await askSigners(proof, ask)) ?? [];
}

const bare = (hex: string) => hex.replace(/^0x/i, '').toLowerCase();
