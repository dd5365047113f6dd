import type { BuiltBlock } from '../chain/built-block.ts';
import type { DropReason } from '../chain/burn-and-mempool-messages.ts';
import type { BlockRecord } from '../chain/stored/block-record.ts';
import { cycleLength, cycleOf } from '../contracts/pox/cycle.ts';
import { orphanKinds, prepareFork } from '../node/bitcoin-fork.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import type { EncodedMessage, Outbox } from '../node/outbox.ts';
import type { RpcFault } from '../node/rpc-fault.ts';
import { type MissedBlock, type Snapshot, snapshotText } from '../node/snapshot.ts';
import type { UserAccount } from '../residents/user-accounts.ts';
import { badRequest, type RpcRequest, type RpcResponse, type RpcRoute } from './route.ts';

const maxCount = 1000;
/** How far a command moves Bitcoin at most. */
const maxBurnBlocks = 10_000;
const maxDelayMs = 600_000;

const dropReasons: readonly DropReason[] = [
  'StaleGarbageCollect',
  'TooExpensive',
  'Problematic',
  'ReplaceByFee',
  'ReplaceAcrossFork',
];

/** The part of a running devnet that the control routes use. */
export type ControlledSimulation = {
  readonly node: DevnetNode;
  readonly outbox: Outbox;
  readonly late: readonly unknown[];
  readonly missed: MissedBlock[];
  readonly lastMessage: EncodedMessage | undefined;
  readonly userAccounts: readonly UserAccount[];
  readonly checkpoints: ReadonlyMap<string, unknown>;
  readonly rpcFault: RpcFault;
  readonly blockSeconds: number | undefined;
  nextBlock: { kind: 'miss' } | { kind: 'late'; blocks: number } | undefined;
  step(): Promise<BuiltBlock>;
  mine(count: number): Promise<void>;
  mineToBurnHeight(height: number): Promise<void>;
  pause(): void;
  resume(blockSeconds?: number): void;
  setCheckpoint(name: string): void;
  goBack(name: string): Promise<boolean>;
  state(): { snapshot: Snapshot; blocks: BlockRecord[] };
  post(message: EncodedMessage): void;
  storing<T>(work: () => T): Promise<T>;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
};

/** A parameter that is not understood; the text says what is expected. */
class BadParameter extends Error {}

/** Reads a whole number within bounds from a parameter. */
function wholeNumber(query: URLSearchParams, name: string, max: number, fallback?: number): number {
  const text = query.get(name);
  const number = text === null ? fallback : /^\d{1,12}$/.test(text) ? Number(text) : undefined;
  if (number === undefined || number > max) throw new BadParameter(`${name} is a number up to ${max}`);
  return number;
}

function checkpointName(query: URLSearchParams): string {
  const name = query.get('name') ?? 'default';
  if (!/^[\w.-]{1,64}$/.test(name)) throw new BadParameter('name has up to 64 letters, digits, dots, dashes');
  return name;
}

/** Control commands of the devnet: blocks, time, forks, faults, and going back to a named state. */
export function controlRoutes(simulation: ControlledSimulation): RpcRoute[] {
  const { node, outbox } = simulation;
  const status = () => ({
    height: node.tip.height,
    index_block_hash: node.tip.indexHash,
    burn_block_height: node.chain.burnChain.tip.height,
    reward_cycle: cycleOf(node.chain.burnChain.tip.height),
    block_seconds: simulation.blockSeconds ?? null,
    mempool: node.mempool.size,
    undelivered: outbox.pending.length,
    held_back: simulation.late.length,
    snapshots: [...simulation.checkpoints.keys()],
    broadcasts_to_lose: node.broadcastsToLose,
    rpc_fault: simulation.rpcFault.current ?? null,
    accounts: simulation.userAccounts.map(({ address }) => address),
  });

  type Run = (query: URLSearchParams) => Promise<object> | object;
  const command = (name: string, parameters: readonly string[], run: Run): RpcRoute => ({
    method: 'POST',
    path: new RegExp(`^/devnet/${name}$`),
    async respond({ query }: RpcRequest): Promise<RpcResponse> {
      const unknown = [...query.keys()].find(key => !parameters.includes(key));
      if (unknown !== undefined) {
        return badRequest(
          `${name} has no parameter ${unknown.slice(0, 64)}; it takes ${parameters.join(', ') || 'none'}`,
        );
      }
      try {
        const result = await simulation.exclusively(async () => {
          try {
            return await run(query);
          } catch (error) {
            if (error instanceof BadParameter) return error;
            throw error;
          }
        });
        return result instanceof BadParameter ? badRequest(result.message) : { json: result };
      } catch (error) {
        return { status: 500, json: { error: (error as Error).message } };
      }
    },
  });
  const counted = (name: string, run: (count: number) => Promise<object> | object): RpcRoute =>
    command(name, ['count'], query => run(wholeNumber(query, 'count', maxCount, 1)));

  const toBurnHeight = async (height: number) => {
    const now = node.chain.burnChain.tip.height;
    if (height <= now) throw new BadParameter(`Bitcoin is at ${now} already: to is a height above it`);
    if (height > now + maxBurnBlocks) throw new BadParameter(`to is at most ${now + maxBurnBlocks}`);
    await simulation.mineToBurnHeight(height);
    return status();
  };

  return [
    { method: 'GET', path: /^\/devnet$/, respond: () => ({ json: status() }) },
    {
      method: 'GET',
      path: /^\/devnet\/state$/,
      respond: async () => {
        const { snapshot, blocks } = await simulation.exclusively(async () => simulation.state());
        return { json: { snapshot: snapshotText(snapshot), blocks } };
      },
    },
    counted('mine', async count => {
      await simulation.mine(count);
      return status();
    }),
    command('stop', [], () => {
      simulation.pause();
      return status();
    }),
    command('start', ['seconds'], query => {
      simulation.resume(query.has('seconds') ? wholeNumber(query, 'seconds', 86_400) : undefined);
      return status();
    }),
    command('next-cycle', [], () => toBurnHeight((cycleOf(node.chain.burnChain.tip.height) + 1) * cycleLength)),
    command('burn-height', ['to'], query => toBurnHeight(wholeNumber(query, 'to', Number.MAX_SAFE_INTEGER))),
    counted('fork', async count => {
      const left = node.tip.indexHash;
      const branch = await simulation.storing(() => node.fork(count));
      return { ...status(), left, branch: branch.map(block => block.indexHash) };
    }),
    counted('bitcoin-fork', async count => {
      const left = node.tip.indexHash;
      const branch = await simulation.storing(() => node.forkBitcoin(count));
      return { ...status(), left, burn_blocks: branch.map(({ hash }) => hash) };
    }),
    command('orphan', ['what'], async query => {
      const kind = orphanKinds.find(each => each === query.get('what'));
      if (!kind) throw new BadParameter(`what is one of ${orphanKinds.join(', ')}`);
      if (!node.chain.release.nakamoto) throw new BadParameter('burn views need a release with Nakamoto blocks');
      const left = await simulation.storing(() => {
        const depth = prepareFork(node, kind);
        return { depth, tip: node.tip.indexHash };
      });
      const branch = await simulation.storing(() => node.forkBitcoin(left.depth));
      return { ...status(), left: left.tip, burn_blocks: branch.map(({ hash }) => hash) };
    }),
    command('bitcoin-return', [], async () => {
      const left = node.tip.indexHash;
      const branch = await simulation.storing(() => node.returnBitcoin());
      return { ...status(), left, burn_blocks: branch.map(({ hash }) => hash) };
    }),
    command('miss', [], async () => {
      simulation.nextBlock = { kind: 'miss' };
      const { indexHash, height } = await simulation.step();
      return { missed: indexHash, missed_height: height };
    }),
    command('recover', [], async () => {
      const found = simulation.missed.splice(0);
      await simulation.storing(() => {
        for (const message of found.flatMap(({ messages }) => messages)) simulation.post(message);
      });
      return { told: found.map(({ id }) => id) };
    }),
    counted('late', async count => {
      simulation.nextBlock = { kind: 'late', blocks: count };
      const { indexHash, height } = await simulation.step();
      return { late: indexHash, late_height: height, after_blocks: count };
    }),
    counted('duplicate', count => {
      const message = simulation.lastMessage;
      for (let i = 0; i < count && message; i++) outbox.send(message);
      return { path: message?.path ?? null, repeated: message ? count : 0 };
    }),
    command('restart', [], () => {
      node.mempool.clear();
      node.restart();
      return status();
    }),
    counted('lose-broadcasts', count => {
      node.broadcastsToLose = count;
      return status();
    }),
    command('drop', ['tx', 'reason'], async query => {
      const txId = `0x${(query.get('tx') ?? '').replace(/^0x/, '')}`;
      const reason = dropReasons.find(each => each === (query.get('reason') ?? 'StaleGarbageCollect'));
      if (!reason) throw new BadParameter(`reason is one of ${dropReasons.join(', ')}`);
      if (!node.mempool.has(txId)) throw new BadParameter('tx is the id of a pending transaction');
      await simulation.storing(() => node.mempool.drop(txId, reason));
      return { ...status(), dropped: txId, reason };
    }),
    {
      method: 'POST',
      path: /^\/devnet\/rpc$/,
      // At once: a command that waits for the running one could not clear a fault that delays it.
      respond({ query }) {
        try {
          const delayMs = wholeNumber(query, 'delay', maxDelayMs, 0);
          const requests = query.has('count') ? wholeNumber(query, 'count', 1_000_000) : undefined;
          simulation.rpcFault.set({ delayMs, fails: query.get('fail') === 'true', requests });
          return { json: status() };
        } catch (error) {
          if (error instanceof BadParameter) return badRequest(error.message);
          throw error;
        }
      },
    },
    command('snapshot', ['name'], query => {
      if (!node.chain.release.nakamoto) throw new BadParameter('snapshots need a release with Nakamoto blocks');
      simulation.setCheckpoint(checkpointName(query));
      return status();
    }),
    command('reset', ['name'], async query => {
      const name = checkpointName(query);
      if (!(await simulation.goBack(name))) throw new BadParameter(`there is no snapshot ${name}`);
      return status();
    }),
  ];
}
