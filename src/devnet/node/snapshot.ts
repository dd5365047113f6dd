import { readFile, rename, writeFile } from 'node:fs/promises';
import { fromHex, toHex } from '../../codec/hex.ts';
import { BranchState } from '../chain/branch-state.ts';
import type { BuiltBlock } from '../chain/built-block.ts';
import type { BurnBlock } from '../chain/burn-chain.ts';
import type { Population } from '../residents/population.ts';
import type { DevnetNode } from './devnet-node.ts';
import type { Letter } from './outbox.ts';
import { submissionOf } from './submission.ts';

/** A block that nobody was told of, and what would tell of it. */
export type MissedBlock = { id: string; letters: Letter[] };

/** All that a devnet must remember to go on after a restart, as JSON; bigints are written as `123n`. */
export type Snapshot = {
  version: 1;
  seed: number;
  startedAt: number;
  random: number;
  population: { random: number; round: number };
  tip: ReturnType<typeof tipJson>;
  state: Record<string, unknown>;
  mempool: { raw: string; txId: string; since: number; height: number }[];
  /** What the observer has not acknowledged. */
  letters: Letter[];
  missed?: MissedBlock[];
};

const burnJson = ({ consensusHash, parent: _, ...burn }: BurnBlock) => ({
  ...burn,
  consensusHash: toHex(consensusHash),
});

function tipJson({ height, hash, indexHash, burn, tenure }: BuiltBlock, burnTip: BurnBlock) {
  return {
    ...{ height, hash, indexHash },
    burn: burnJson(burn),
    burnTip: burnJson(burnTip),
    tenure: { ...tenure, consensusHash: toHex(tenure.consensusHash) },
  };
}

const maps = ['nonces', 'stx', 'locked', 'unlocks', 'ft', 'nft', 'data'] as const;

/** What is to be remembered now. */
export function takeSnapshot(
  node: DevnetNode,
  people: Population,
  letters: readonly Letter[],
  missed: readonly MissedBlock[],
): Snapshot {
  const { state } = node;
  return {
    version: 1,
    seed: node.options.seed,
    startedAt: node.startedAt,
    random: node.chain.random.state,
    population: { random: people.random.state, round: people.round },
    tip: tipJson(node.tip, node.chain.burnChain.tip),
    state: {
      ...Object.fromEntries(maps.map(name => [name, [...state[name]]])),
      contracts: [...state.contracts],
      tenures: state.tenures,
    },
    mempool: node.mempool.list().map(({ raw, txId, since, height }) => ({ raw, txId, since, height })),
    letters: [...letters],
    missed: [...missed],
  };
}

/** Takes a node and its people back to where they were. */
export function restoreSnapshot(snapshot: Snapshot, node: DevnetNode, people: Population): void {
  const state = new BranchState();
  for (const name of maps) {
    const target = state[name] as Map<string, unknown>;
    for (const [key, value] of snapshot.state[name] as [string, unknown][]) target.set(key, value);
  }
  for (const contract of snapshot.state.contracts as string[]) state.contracts.add(contract);
  for (const tenure of snapshot.state.tenures as BranchState['tenures']) state.tenures.push(tenure);
  const { burn, burnTip, tenure, ...place } = snapshot.tip;
  const burnOf = (json: typeof burn): BurnBlock => ({
    ...json,
    consensusHash: fromHex(json.consensusHash),
    parent: undefined,
  });
  node.chain.random.state = snapshot.random;
  node.chain.burnChain.tip = burnOf(burnTip);
  node.tip = {
    ...place,
    ...{ path: '/new_block', body: {}, parent: undefined, burnBlocks: [], transactions: [], stream: [] },
    burn: burnOf(burn),
    tenure: { ...tenure, consensusHash: fromHex(tenure.consensusHash) },
    state,
  };
  for (const { raw, txId, since, height } of snapshot.mempool) {
    node.mempool.restore({ ...submissionOf(raw, txId), since, height });
  }
  people.random.state = snapshot.population.random;
  people.round = snapshot.population.round;
}

/** Writes a snapshot so that a crash leaves the old one or the new one. */
export async function writeSnapshot(file: string, snapshot: Snapshot): Promise<void> {
  const text = JSON.stringify(snapshot, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Undefined where there is none. */
export async function readSnapshot(file: string): Promise<Snapshot | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const revive = (_: string, value: unknown) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
  return JSON.parse(text, revive) as Snapshot;
}
