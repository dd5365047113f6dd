import type { Simulation } from '../simulation.ts';
import { badRequest, type RpcRequest, type RpcRoute } from './server.ts';

const mostAtOnce = 1000;

/** The control of the devnet: forks, missed and late blocks, restarts and repeated messages, on command. */
export function controlRoutes(simulation: Simulation): RpcRoute[] {
  const { node, outbox } = simulation;
  const command = (name: string, run: (count: number) => Promise<object> | object, fallback: number): RpcRoute => ({
    method: 'POST',
    path: new RegExp(`^/devnet/${name}$`),
    async answer({ query }: RpcRequest) {
      const count = Number(query.get('count') ?? fallback);
      if (!Number.isInteger(count) || count < 0 || count > mostAtOnce)
        return badRequest('count is a number up to 1000');
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
    { method: 'GET', path: /^\/devnet$/, answer: () => ({ json: status() }) },
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
        const branch = await simulation.remembering(() => node.fork(count));
        return { ...status(), left, branch: branch.map(block => block.indexHash) };
      },
      1,
    ),
    command(
      'bitcoin-fork',
      async count => {
        const left = node.tip.indexHash;
        const branch = await simulation.remembering(() => node.forkBitcoin(count));
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
        await simulation.remembering(() => {
          for (const letter of found.flatMap(({ letters }) => letters)) simulation.tell(letter);
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
        const letter = simulation.lastLetter;
        for (let i = 0; i < count && letter; i++) outbox.send(letter);
        return { path: letter?.path ?? null, repeated: letter ? count : 0 };
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
