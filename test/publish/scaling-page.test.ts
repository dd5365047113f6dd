import { readFileSync } from 'node:fs';
import * as nats from '@nats-io/jetstream';
import * as transport from '@nats-io/transport-node';
import { beforeEach, expect, test } from 'vitest';
import { mineLine, testChain } from '../support/chain.ts';
import { addressOf } from '../support/served-chain.ts';
import { until } from '../support/service.ts';
import { hasNats, startNats } from './support/nats-server.ts';
import { natsOpener, startWorld } from './support/world.ts';

type Row = { height: number; amount: string };

/** The consumer of the page, as a function of what it imports and of its database. */
function consumerOfPage(): (names: object) => Promise<void> {
  const page = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');
  const [, code] = /```js\n([\s\S]*?)```/.exec(page)!;
  const body = code!.replace(/^import .*\n/gm, '');
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (names: object) => Promise<void>;
  return new AsyncFunction(
    'names',
    `const { AckPolicy, jetstream, jetstreamManager, connect, database } = names;\n${body}`,
  );
}

beforeEach(t => t.skip(!hasNats, 'nats-server is not installed'));

test('the consumer of the page has each transfer once, over a fork and when it ends before it acknowledges', async t => {
  const chain = testChain();
  const pay = (amount: bigint) => [{ kind: 'transfer' as const, from: 0, to: addressOf(1), amount }];
  const one = chain.mine(chain.genesis, { transactions: pay(11n) });
  const two = chain.mine(one, { transactions: pay(22n) });
  const world = await startWorld(t, [chain.genesis, one, two]);
  const server = await startNats(t);
  await world.startPublisher(await natsOpener(server.url));
  await world.reached(2);

  let rows: Row[] = [];
  let sequence = 0;
  const open: transport.NatsConnection[] = [];
  const tx = {
    query: async (text: string, values: unknown[] = []) => {
      if (text.startsWith('select')) return [{ sequence }];
      if (text.startsWith('update')) sequence = Number(values[0]);
      if (text.startsWith('delete')) rows = rows.filter(({ height }) => height <= Number(values[0]));
      if (text.startsWith('insert')) rows.push({ height: Number(values[0]), amount: String(values[6]) });
      return [];
    },
  };
  let commits = 0;
  const consume = (endAfter = Number.POSITIVE_INFINITY) =>
    consumerOfPage()({
      ...{ AckPolicy: nats.AckPolicy, jetstream: nats.jetstream },
      jetstreamManager: async (connection: transport.NatsConnection) => {
        const { consumers } = await nats.jetstreamManager(connection);
        // What is not acknowledged is delivered again at once, and not after 30 seconds.
        const soon = { ack_wait: 50_000_000 };
        return {
          consumers: { add: (stream: string, config: object) => consumers.add(stream, { ...config, ...soon }) },
        };
      },
      connect: async () => {
        const connection = await transport.connect({ servers: `127.0.0.1:${server.port}`, reconnect: false });
        open.push(connection);
        return connection;
      },
      database: {
        transaction: async (work: (sql: typeof tx) => Promise<void>) => {
          await work(tx);
          // The process ends between its commit and the acknowledgement.
          if (++commits >= endAfter) throw new Error('killed');
        },
      },
    });
  await expect(consume(1)).rejects.toThrow('killed');
  await open[0]!.close();
  const other = chain.mine(one, { transactions: pay(33n) });
  await world.fold([other, ...mineLine(chain, other, 1)]);
  const running = consume();
  await Promise.race([running, until(() => rows.some(({ amount }) => amount === '33'))]);
  const paid = rows.filter(({ amount }) => ['11', '22', '33'].includes(amount));
  expect(paid).toEqual([
    { height: 1, amount: '11' },
    { height: 2, amount: '33' },
  ]);
  await open[1]!.close();
  await running;
});
