import type { BuiltBlock } from '../chain/built-block.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import type { EncodedMessage, Outbox } from '../node/outbox.ts';
import type { MissedBlock } from '../node/snapshot.ts';
import { badRequest, type RpcRequest, type RpcRoute } from './route.ts';

const maxCount = 1000;

/** The part of a running devnet that the control routes use. */
export type ControlledSimulation = {
  readonly node: DevnetNode;
  readonly outbox: Outbox;
  readonly late: readonly unknown[];
  readonly missed: MissedBlock[];
  readonly lastMessage: EncodedMessage | undefined;
  readonly userKeys: readonly { address: string }[];
  nextBlock: { kind: 'miss' } | { kind: 'late'; blocks: number } | undefined;
  step(): Promise<BuiltBlock>;
  post(message: EncodedMessage): void;
  storing<T>(work: () => T): Promise<T>;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
};

/** Control commands of the devnet: forks, missed and late blocks, restarts and repeated messages. */
export function controlRoutes(simulation: ControlledSimulation): RpcRoute[] {
  const { node, outbox } = simulation;
  const command = (name: string, run: (count: number) => Promise<object> | object, fallback: number): RpcRoute => ({
    method: 'POST',
    path: new RegExp(`^/devnet/${name}$`),
    async respond({ query }: RpcRequest) {
      const count = Number(query.get('count') ?? fallback);
      if (!Number.isInteger(count) || count < 0 || count > maxCount) return badRequest('count is a number up to 1000');
      return { json: await simulation.exclusively(async () => await run(count)) };
    },
  });
  const status = () => ({
    height: node.tip.height,
    index_block_hash: node.tip.indexHash,
    burn_block_height: node.tip.burn.height,
    mempool: node.mempool.size,
    undelivered: outbox.pending.length,
    held_back: simulation.late.length,
    accounts: simulation.userKeys.map(({ address }) => address),
  });
  return [
    { method: 'GET', path: /^\/devnet$/, respond: () => ({ json: status() }) },
    command(
      'mine',
      async count => {
        for (let i = 0; i < count; i++) await simulation.step();
        return status();
      },
      1,
    ),
    command(
      'fork',
      async count => {
        const left = node.tip.indexHash;
        const branch = await simulation.storing(() => node.fork(count));
        return { ...status(), left, branch: branch.map(block => block.indexHash) };
      },
      1,
    ),
    command(
      'bitcoin-fork',
      async count => {
        const left = node.tip.indexHash;
        const branch = await simulation.storing(() => node.forkBitcoin(count));
        return { ...status(), left, burn_blocks: branch.map(({ hash }) => hash) };
      },
      1,
    ),
    command(
      'miss',
      async () => {
        simulation.nextBlock = { kind: 'miss' };
        const { indexHash, height } = await simulation.step();
        return { missed: indexHash, missed_height: height };
      },
      1,
    ),
    command(
      'recover',
      async () => {
        const found = simulation.missed.splice(0);
        await simulation.storing(() => {
          for (const message of found.flatMap(({ messages }) => messages)) simulation.post(message);
        });
        return { told: found.map(({ id }) => id) };
      },
      1,
    ),
    command(
      'late',
      async count => {
        simulation.nextBlock = { kind: 'late', blocks: count };
        const { indexHash, height } = await simulation.step();
        return { late: indexHash, late_height: height, after_blocks: count };
      },
      1,
    ),
    command(
      'duplicate',
      count => {
        const message = simulation.lastMessage;
        for (let i = 0; i < count && message; i++) outbox.send(message);
        return { path: message?.path ?? null, repeated: message ? count : 0 };
      },
      1,
    ),
    command(
      'restart',
      () => {
        node.mempool.clear();
        node.restart();
        return status();
      },
      1,
    ),
  ];
}
