import { readFile, rename, writeFile } from 'node:fs/promises';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { BranchState } from '../chain/branch-state.ts';
import type { BuiltBlock } from '../chain/built-block.ts';
import type { BurnBlock } from '../chain/burn-chain.ts';
import type { Residents } from '../residents/residents.ts';
import type { DevnetNode } from './devnet-node.ts';
import type { EncodedMessage } from './outbox.ts';
import { submissionOf } from './submission.ts';

/** A block that was not posted, and the messages that would have announced it. */
export type MissedBlock = { id: string; messages: EncodedMessage[] };

/** The state that a devnet needs to resume after a restart, as JSON; bigints are written as `123n`. */
export type Snapshot = {
  version: 2;
  seed: number;
  startedAt: number;
  random: number;
  residents: { random: number; round: number };
  /** Snapshots of earlier versions lack the view. */
  tip: Omit<TipJson, 'view'> & Partial<Pick<TipJson, 'view'>>;
  state: Record<string, unknown>;
  mempool: { raw: string; txId: string; since: number; height: number }[];
  /** Messages that the observer has not acknowledged. */
  messages: EncodedMessage[];
  missed?: MissedBlock[];
};

const burnJson = ({ consensusHash, parent: _, ...burn }: BurnBlock) => ({
  ...burn,
  consensusHash: toHex(consensusHash),
});

function tipJson({ height, hash, indexHash, burn, view, tenure }: BuiltBlock, burnTip: BurnBlock) {
  return {
    ...{ height, hash, indexHash },
    burn: burnJson(burn),
    view: burnJson(view),
    burnTip: burnJson(burnTip),
    tenure: { ...tenure, consensusHash: toHex(tenure.consensusHash) },
  };
}

type TipJson = ReturnType<typeof tipJson>;

const maps = ['nonces', 'stx', 'locked', 'unlocks', 'ft', 'nft', 'data'] as const;

/** The snapshot of the present state. */
export function takeSnapshot(
  node: DevnetNode,
  residents: Residents,
  messages: readonly EncodedMessage[],
  missed: readonly MissedBlock[],
): Snapshot {
  const { state } = node;
  return {
    version: 2,
    seed: node.options.seed,
    startedAt: node.startedAt,
    random: node.chain.random.state,
    residents: { random: residents.random.state, round: residents.round },
    tip: tipJson(node.tip, node.chain.burnChain.tip),
    state: {
      ...Object.fromEntries(maps.map(name => [name, [...state[name]]])),
      contracts: [...state.contracts],
      tenures: state.tenures,
      supply: state.supply,
    },
    mempool: node.mempool.list().map(({ raw, txId, since, height }) => ({ raw, txId, since, height })),
    messages: [...messages],
    missed: [...missed],
  };
}

/** Restores a node and its residents from a snapshot. */
export function restoreSnapshot(snapshot: Snapshot, node: DevnetNode, residents: Residents): void {
  const state = new BranchState();
  for (const name of maps) {
    const target = state[name] as Map<string, unknown>;
    for (const [key, value] of snapshot.state[name] as [string, unknown][]) target.set(key, value);
  }
  for (const contract of snapshot.state.contracts as string[]) state.contracts.add(contract);
  for (const tenure of snapshot.state.tenures as BranchState['tenures']) state.tenures.push(tenure);
  // Snapshots of earlier versions lack the supply; then the fees that no miner has been paid yet are missing from it.
  state.supply =
    (snapshot.state.supply as bigint | undefined) ?? [...state.stx.values()].reduce((sum, each) => sum + each, 0n);
  const { burn, view = burn, burnTip, tenure, ...header } = snapshot.tip;
  const burnOf = (json: typeof burn): BurnBlock => ({
    ...json,
    consensusHash: fromHex(json.consensusHash),
    parent: undefined,
  });
  node.chain.random.state = snapshot.random;
  node.chain.burnChain.tip = burnOf(burnTip);
  node.tip = {
    ...header,
    ...{ path: '/new_block', body: {}, parent: undefined, burnBlocks: [], transactions: [], stream: [] },
    burn: burnOf(burn),
    view: burnOf(view),
    changesTenure: false,
    tenure: { ...tenure, consensusHash: fromHex(tenure.consensusHash) },
    state,
  };
  for (const { raw, txId, since, height } of snapshot.mempool) {
    node.mempool.restore({ ...submissionOf(raw, txId), since, height });
  }
  residents.random.state = snapshot.residents.random;
  residents.round = snapshot.residents.round;
}

/** The content of the file of a snapshot. */
export const snapshotText = (snapshot: Snapshot): string =>
  JSON.stringify(snapshot, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));

/** Writes a snapshot so that a crash leaves the old one or the new one. */
export async function writeSnapshot(file: string, snapshot: Snapshot): Promise<void> {
  await writeFile(`${file}.new`, snapshotText(snapshot), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Reads a snapshot; undefined if the file does not exist. */
export async function readSnapshot(file: string): Promise<Snapshot | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const revive = (_: string, value: unknown) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
  return upgraded(JSON.parse(text, revive) as Snapshot | FirstSnapshot);
}

/** A snapshot of version 1, which had other names for the same content. */
type FirstSnapshot = Omit<Snapshot, 'version' | 'residents' | 'messages' | 'missed'> & {
  version: 1;
  population: Snapshot['residents'];
  letters: EncodedMessage[];
  missed?: { id: string; letters: EncodedMessage[] }[];
};

function upgraded(snapshot: Snapshot | FirstSnapshot): Snapshot {
  if (snapshot.version === 2) return snapshot;
  const { population, letters, missed = [], ...rest } = snapshot;
  return {
    ...rest,
    version: 2,
    residents: population,
    messages: letters,
    missed: missed.map(block => ({ id: block.id, messages: block.letters })),
  };
}
