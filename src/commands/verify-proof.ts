import { readFileSync } from 'node:fs';
import { type InclusionProof, readSignerSet, verifyInclusion } from '@cairn-stacks/codec/proof/inclusion-proof';
import { askSigners, UnknownSignersError } from '@cairn-stacks/codec/proof/node-signers';
import type { WeightedSigner } from '@cairn-stacks/codec/proof/signed-weight';
import { UsageError } from '../errors.ts';
import type { Command } from './command.ts';

type Trust = 'given' | 'node' | 'proof';

export const command: Command = {
  usage: 'FILE',
  more:
    'FILE is a response of /extended/v3/transactions/ID/proof. The signers of the cycle are what a verifier must know: give\n' +
    'them by --signers or --node. Without either, the signatures are counted by the set that the proof itself names.',
  flags: {
    signers: { type: 'string', value: 'FILE', about: 'The signers: a response of /v3/stacker_set/CYCLE of a node.' },
    node: { type: 'string', value: 'URL', about: 'A node that is asked for the cycle of the block and its signers.' },
  },
  positionals: { min: 1, max: 1 },
  async run({ flags, positionals }) {
    if (flags.signers !== undefined && flags.node !== undefined)
      throw new UsageError('give --signers or --node, not both');
    const proof = readJson(positionals[0]!) as InclusionProof & { consensus?: unknown };
    const { set, trust } = await signersFor(
      proof,
      flags.signers as string | undefined,
      flags.node as string | undefined,
    );
    const verdict = verifyInclusion(proof, set);
    if (!verdict.valid) {
      process.stdout.write(`not proven: ${verdict.step}: ${verdict.reason}\n`);
      return 1;
    }
    const { signed } = verdict;
    const lines = [`proven: transaction ${proof.txid} is number ${proof.tx_index} in block ${proof.index_block_hash}`];
    if (signed) lines.push(`signed by ${signed.weight} of ${signed.total}, ${signed.threshold} needed`);
    if (trust === 'proof') {
      lines.push(
        signed
          ? 'the signers are those that the proof names: compare them with a source that you trust (--signers, --node)'
          : 'the proof names no signers: it proves something about this block only if you trust its hash',
      );
    }
    process.stdout.write(`${lines.join('\n')}\n`);
    return 0;
  },
};

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}

async function signersFor(
  proof: InclusionProof & { consensus?: unknown },
  file: string | undefined,
  node: string | undefined,
): Promise<{ set: WeightedSigner[] | undefined; trust: Trust }> {
  if (file !== undefined) {
    const set = readSignerSet(readJson(file));
    if (!set) throw new UsageError(`${file} has no signers: expected a response of /v3/stacker_set/CYCLE`);
    return { set, trust: 'given' };
  }
  if (node !== undefined) return { set: await askNode(node, proof), trust: 'node' };
  const { reward_set } = (proof?.consensus ?? {}) as { reward_set?: unknown };
  return { set: readSignerSet(reward_set), trust: 'proof' };
}

async function askNode(url: string, proof: InclusionProof): Promise<WeightedSigner[] | undefined> {
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(new URL(path, url)).catch((cause: Error) => {
      throw new UsageError(`cannot reach ${url}: ${cause.message}`, { cause });
    });
    if (!response.ok) throw new UsageError(`${url} responds to ${path} with ${response.status}`);
    return await response.json().catch((cause: Error) => {
      throw new UsageError(`${url} responds to ${path} with something else than JSON`, { cause });
    });
  };
  try {
    return await askSigners(proof, ask);
  } catch (error) {
    if (error instanceof UnknownSignersError) throw new UsageError(`${url}: ${error.message}`, { cause: error });
    throw error;
  }
}
