import { decodeNakamotoHeader } from '../block/nakamoto-block.ts';
import { CodecError } from '../error.ts';
import { bareHex, fromHex } from '../hex.ts';
import { type InclusionProof, readSignerSet } from './inclusion-proof.ts';
import type { WeightedSigner } from './signed-weight.ts';

/** Sends a GET to a node, for a path such as `/v2/pox`, and gives the parsed JSON; throws if the node has none. */
export type AskNode = (path: string) => Promise<unknown>;

/** A node does not tell what a verification needs. */
export class UnknownSignersError extends Error {
  override name = 'UnknownSignersError';
}

/**
 * The signers of the cycle in which the miner of the block was elected, as a node tells; undefined if the proof has no header that
 * can be read, so that it is refused for its format anyway.
 */
export async function askSigners(proof: InclusionProof, ask: AskNode): Promise<WeightedSigner[] | undefined> {
  const consensusHash = consensusHashOf(proof);
  if (consensusHash === undefined) return undefined;
  const told = await ask(`/v3/sortitions/consensus/${consensusHash}`);
  const sortition: unknown = Array.isArray(told) ? told[0] : told;
  const height = heightIn(sortition, 'burn_block_height');
  if (height === undefined) throw new UnknownSignersError('the node does not tell when the miner was elected');
  const pox = await ask('/v2/pox');
  const first = heightIn(pox, 'first_burnchain_block_height');
  const length = heightIn(pox, 'reward_cycle_length');
  if (first === undefined || !length) throw new UnknownSignersError('the node does not tell when cycles begin');
  const cycle = Math.floor((height - first) / length);
  const set = readSignerSet(await ask(`/v3/stacker_set/${cycle}`));
  if (!set) throw new UnknownSignersError(`the node does not tell the signers of cycle ${cycle}`);
  return set;
}

function consensusHashOf(proof: InclusionProof | null): string | undefined {
  try {
    return bareHex(decodeNakamotoHeader(fromHex(String(proof?.raw_header))).consensusHash);
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}

function heightIn(json: unknown, field: string): number | undefined {
  const value = (json as Record<string, unknown> | null | undefined)?.[field];
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
