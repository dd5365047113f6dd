import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { messagesOf, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { until } from '../support/service.ts';
import { StubNode } from '../support/stub-node.ts';

const file = fileURLToPath(new URL('../../packaging/compose/compose.scaled.yaml', import.meta.url));
type Service = { image: string; environment?: Record<string, string> };
const { services } = parse(readFileSync(file, 'utf8'), { merge: true }) as { services: Record<string, Service> };

/** The value that compose gives a variable: the environment, or the default in the file. */
const substitute = (text: string, env: Record<string, string>) =>
  text.replace(/\$\{(\w+)(?::-([^}]*))?(?::\?[^}]*)?\}/g, (_, name: string, fallback = '') => env[name] ?? fallback);

test('the processes of the scaled compose file serve one chain, with the environment of the file', async t => {
  const database = new URL((await testDatabase(t)).url);
  const node = await new StubNode().start();
  t.onTestFinished(() => node.stop());
  const environment = { POSTGRES_PASSWORD: 'secret', STACKS_NETWORK: 'testnet' };
  /** Names of services become addresses of this machine: all servers of PostgreSQL are one here. */
  const onLoopback = (text: string) =>
    substitute(text, environment)
      .replace(/postgres:\/\/cairn:secret@postgres-[\w-]+:5432\/cairn/g, database.href)
      .replaceAll('http://stacks-node:20443', node.url);
  const own = Object.entries(services).filter(([, { image }]) => image.includes('cairn'));
  expect(own.map(([name]) => name)).toEqual(['ingest-1', 'ingest-2', 'api-1', 'api-2', 'api-3']);
  const started = own.map(async ([name, { environment: given = {} }]): Promise<[string, RunningService]> => {
    const env = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, onLoopback(value)]));
    for (const [key, value] of Object.entries(env))
      expect([key, value]).toEqual([key, expect.not.stringMatching(/\$\{|postgres-|secret/)]);
    return [name, await startService(t, env)];
  });
  const running = new Map(await Promise.all(started));
  const [first, second, ...apis] = [...running.values()];

  // A node may post to either ingest process.
  const chain = testChain();
  const one = chain.mine(chain.genesis, {});
  const two = chain.mine(one, {});
  for (const [index, { path, body }] of [chain.genesis, one, two].flatMap(messagesOf).entries()) {
    const observer = (index % 2 === 0 ? first : second)!.addresses.observer;
    const response = await fetch(`http://${observer}${path}`, { method: 'POST', body: messageText(body) });
    expect(response.status).toBe(200);
  }
  for (const { addresses } of apis) {
    await until(async () => {
      const response = await fetch(`${addresses.api}/extended/v2/blocks/2`);
      return response.status === 200 && ((await response.json()) as { height: number }).height === 2;
    });
    expect((await fetch(`${addresses.api}/v2/info`)).headers.get('x-stacks-node')).toBe('node-1');
    expect((await fetch(addresses.metrics!.replace('/metrics', '/healthz'))).status).toBe(200);
  }
  // Clients that the load balancer moves between processes keep their ETags.
  const [a, b] = apis.map(({ addresses }) => `${addresses.api}/extended/v2/blocks/2`);
  const etag = (await fetch(a!)).headers.get('etag')!;
  expect((await fetch(b!, { headers: { 'if-none-match': etag } })).status).toBe(304);
  // One folds, the other stands by; both show the same position.
  const positions = await Promise.all(
    [first, second].map(async ingest => {
      const metrics = await (await fetch(ingest!.addresses.metrics!)).text();
      return /^cairn_fold_position (\d+)$/m.exec(metrics)?.[1];
    }),
  );
  expect(positions[0]).toBe(positions[1]);
});
