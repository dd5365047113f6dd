import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { addressOf } from '../support/served-chain.ts';
import { until } from '../support/service.ts';
import { StubNode } from '../support/stub-node.ts';
import { chainOf, startReceiver } from './support/receiver.ts';
import { webhookKey } from './support/world.ts';

const t = { onTestFinished };
const pay = (amount: bigint) => ({ kind: 'transfer', from: 0, to: addressOf(1), amount }) as const;
const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

/** The example receiver on a database of its own. */
async function startExample() {
  const database = await emptyDatabase(t);
  const file = fileURLToPath(new URL('../../examples/receive-webhooks.mjs', import.meta.url));
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, WEBHOOK_SECRET: secret, PORT: '0' };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const db = new pg.Client(database.url);
  await db.connect();
  onTestFinished(() => db.end());
  const rows = async (text: string) => (await db.query(text)).rows;
  return { url: /http:\S+/.exec(line.toString())![0], rows };
}

test('receivers have the canonical chain after kills of the sending process, forks and failures', async () => {
  const database = await testDatabase(t);
  const node = new StubNode();
  await node.start();
  onTestFinished(() => node.stop());
  const env = {
    ...{ DATABASE_URL: database.url, CAIRN_NETWORK: 'testnet', CAIRN_DEVNET: 'false', CAIRN_NODES: node.url },
    ...{ CAIRN_WEBHOOK_KEY: webhookKey, CAIRN_WEBHOOK_ALLOW: '127.0.0.1' },
  };
  const services: RunningService[] = [];
  const start = async () => services.push(await startService(t, env));
  await start();
  await start();
  const post = async (blocks: readonly BuiltBlock[]) => {
    for (const { path, body } of blocks.flatMap(messagesOf)) {
      // A node repeats an event until it is accepted.
      await until(async () => {
        const target = `http://${services.at(-1)!.addresses.observer}`;
        const sent = fetch(target + path, { method: 'POST', body: messageText(body as object) });
        return await sent.then(
          ({ ok }) => ok,
          () => false,
        );
      });
    }
  };
  const admin = async (method: string, path: string, body?: object) => {
    const url = services.at(-1)!.addresses.metrics!.replace('/metrics', `/admin/webhooks${path}`);
    const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
    const given = (await response.json()) as { block_height: number; state: string };
    if (!response.ok) throw new Error(JSON.stringify(given));
    return given;
  };
  const chain = testChain();
  let canonical = mineLine(chain, chain.genesis, 6, { transactions: [pay(1n)] });
  await post([chain.genesis, ...canonical]);
  await until(async () => (await database.sql`select from blocks where height = 6`).length > 0);

  let count = 0;
  const receiver = await startReceiver(t, () => (++count % 4 === 0 ? 503 : 204));
  const example = await startExample();
  await admin('POST', '', { name: 'hook', url: receiver.url, start: 1, batch: 2 });
  const filter = { topics: ['blocks', 'transfers'], asset: 'STX' };
  await admin('POST', '', { name: 'example', url: example.url, start: 1, secret, filter });

  for (const [from, length] of [
    [4, 5],
    [7, 6],
  ] as const) {
    await until(async () => (await admin('GET', '/example')).block_height >= from);
    // Either holds the hooks; of the two that are killed one does.
    services.shift()!.child.kill('SIGKILL');
    const fork = mineLine(chain, canonical[from - 1]!, length, { transactions: [pay(BigInt(from))] });
    canonical = [...canonical.slice(0, from), ...fork];
    await post(fork);
    await start();
  }
  const tip = canonical.at(-1)!.height;
  for (const name of ['hook', 'example']) {
    await until(async () => {
      const hook = await admin('GET', `/${name}`);
      if (hook.state === 'failing') await admin('POST', `/${name}/resume`, {});
      return hook.block_height === tip && hook.state === 'active';
    });
  }
  const expected = Object.fromEntries(canonical.map(({ height, indexHash }) => [height, indexHash]));
  expect(chainOf(receiver.messages())).toEqual(expected);
  const blocks = await example.rows('select height, hash from received_blocks order by height');
  expect(Object.fromEntries(blocks.map(({ height, hash }) => [height, hash]))).toEqual(expected);
  const sums = await example.rows(
    `select height, sum(amount)::text as sum from received_transfers where recipient = '${addressOf(1)}' group by height order by height`,
  );
  const paid = await database.sql<{ height: number; sum: string }[]>`
    select b.height, case when b.height <= 4 then '1' when b.height <= 7 then '4' else '7' end as sum
    from blocks b
    order by b.height
  `;
  expect(sums.filter(({ height }) => height > 1)).toEqual(paid.filter(({ height }) => height > 1));
});
