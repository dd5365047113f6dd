import { principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { parseNetwork } from '@cairn-stacks/codec/network';
import { expect, test } from 'vitest';
import { buildApi } from '../../src/api/server.ts';
import { Broadcasts } from '../../src/app/broadcasts.ts';
import { ResponseCache } from '../../src/cache/response-cache.ts';
import { TipCache } from '../../src/cache/tip-cache.ts';
import type { Tip } from '../../src/cache/tip-queries.ts';
import { connect } from '../../src/db/client.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { createLog } from '../../src/log.ts';
import { renderIndexInfo } from '../../src/proxy/schemas/node-info.ts';
import { findExecutedNonce } from '../../src/read/principals/nonces-queries.ts';
import { openReadCaches } from '../../src/read/read-caches.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { objectOf, startProxy } from '../support/proxy.ts';
import { append, foldAll, folded, startFold, until } from '../support/service.ts';
import { signTransaction } from '../support/signed.ts';
import { json, startNodes } from '../support/stub-node.ts';

const log = createLog({ level: 'silent', format: 'json' });
type Ending = { onTestFinished(work: () => Promise<void>): void };

/** Read-only connections and the tip of a database, as the API has them. */
async function openIndex(t: Ending, database: TestDatabase) {
  const sql = connect(database.url, { max: 4, name: 'cairn api', readOnly: true });
  t.onTestFinished(() => sql.end({ timeout: 1 }));
  const tip = new TipCache({ sql, primary: database.sql, log });
  await tip.start();
  t.onTestFinished(() => tip.stop());
  return { sql, tip };
}

test('the stable burn block of an answer in place of a node is not above the newest one', () => {
  const tip = { height: 7, burnHeight: 100, hash: Buffer.alloc(32), indexHash: Buffer.alloc(32) } as Tip;
  const render = (stable: number) =>
    renderIndexInfo(tip, parseNetwork('testnet')!, 'x', { stable_burn_block_height: stable }).stable_burn_block_height;
  expect([render(94), render(106)]).toEqual([94, 100]);
});

test('with every node down the index responds with its data, and says so', async t => {
  const database = await testDatabase(t);
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 12);
  await foldAll(database, [chain.genesis, ...blocks].flatMap(messagesOf));
  const { sql, tip } = await openIndex(t, database);
  const nodes = await startNodes(t, 1);
  await nodes[0]!.stop();
  const { get } = await startProxy(t, nodes, { sql, tip });

  const info = await get('/v2/info');
  expect([info.status, info.headers.get('x-cairn-source'), info.headers.get('x-stacks-node')]).toEqual([
    200,
    'index',
    null,
  ]);
  expect(await objectOf(info)).toMatchObject({ stacks_tip_height: tip.current!.height, network_id: 0x8000_0000 });
  expect(Object.keys(await objectOf(await get('/extended/v2/info')))).toHaveLength(13);

  const [busy] = await sql<{ principal: Buffer; nonce: bigint }[]>`
    select p.name as principal, max(t.nonce) as nonce
    from transactions t
    join principals p on p.id = t.sender
    where length(t.raw) > 1 and t.sponsor = 0 and t.height > 1
    group by p.name
    order by count(*) desc
    limit 1
  `;
  const account = await get(`/v2/accounts/${principalFromBytes(busy!.principal)}?proof=0`);
  expect(account.headers.get('x-cairn-source')).toBe('index');
  expect(await objectOf(account)).toEqual({
    balance: expect.stringMatching(/^0x[0-9a-f]{32}$/),
    locked: expect.stringMatching(/^0x[0-9a-f]{32}$/),
    unlock_height: expect.any(Number),
    nonce: Number(busy!.nonce) + 1,
  });
  // The chain signs with the boot address, which a node does not count.
  const boot = 'ST000000000000000000002AMW42H';
  expect(await findExecutedNonce(sql, principalToBytes(boot), 'tip')).toMatchObject({ nonce: 0 });
  expect(await objectOf(await get(`/v2/accounts/${boot}`))).toMatchObject({ nonce: 0 });
  const [contract] = await sql<{ name: Buffer }[]>`
    select p.name from contracts c join principals p on p.id = c.contract where c.abi <> '' limit 1
  `;
  const [address, name] = principalFromBytes(contract!.name).split('.');
  const source = await get(`/v2/contracts/source/${address}/${name}`);
  expect(await objectOf(source)).toMatchObject({ source: expect.stringMatching(/./), proof: '' });
  const abi = await get(`/v2/contracts/interface/${address}/${name}`);
  expect(await objectOf(abi)).toHaveProperty('functions');
  expect((await get(`/v2/contracts/source/${address}/not-there`)).status).toBe(404);

  for (const path of ['/v2/pox', `/v2/accounts/${address}?tip=${'0'.repeat(64)}`, '/v2/accounts/nobody']) {
    expect([path, (await get(path)).status]).toEqual([path, 503]);
  }
  const post = { method: 'POST', body: '{}' };
  expect((await get(`/v2/contracts/call-read/${address}/${name}/f`, post)).status).toBe(503);
});

test('an accepted transaction is in the mempool at once, marked until a node reports it', async t => {
  const database = await testDatabase(t);
  const chain = testChain();
  const last = await append(database, [chain.genesis, ...mineLine(chain, chain.genesis, 3)].flatMap(messagesOf));
  const fold = startFold(database);
  t.onTestFinished(() => fold.stop());
  await folded(database.sql, last);
  const index = await openIndex(t, database);
  const events = new EventLog(database.sql);
  t.onTestFinished(() => events.close());
  const broadcasts = new Broadcasts({ events, ...index });
  const nodes = await startNodes(t, 1);
  const { raw, hex, txId, sender } = signTransaction({ account: 7 });
  nodes[0]!.answers['/v2/transactions'] = () => json(txId);
  const { get } = await startProxy(t, nodes, { ...index, proxy: { announce: sent => broadcasts.announce(sent) } });
  const { app } = await buildApi({
    ...{
      ...index,
      pool: index.sql,
      log,
      network: parseNetwork('testnet')!,
      readyMaxLag: 60,
      bodyLimit: 1024,
      maxInFlight: 20,
      atOnce: 4,
    },
    ...{
      responses: new ResponseCache(1 << 20),
      caches: openReadCaches({ itemBytes: 1 << 20 }),
      deprecatedEndpoints: true,
      strict: true,
    },
  });
  t.onTestFinished(() => app.close());
  const ask = async (url: string) => (await app.inject(url)).json();

  expect((await ask('/extended/v1/tx/mempool')).total).toBe(0);
  expect((await get('/v2/transactions', { method: 'POST', body: raw })).status).toBe(200);
  const listed = await ask('/extended/v1/tx/mempool');
  expect(listed).toMatchObject({ total: 1, results: [{ tx_id: `0x${txId}`, awaiting_node_report: true }] });
  expect(await ask(`/extended/v1/tx/0x${txId}`)).toMatchObject({ tx_status: 'pending', awaiting_node_report: true });
  expect((await ask(`/extended/v1/address/${sender}/nonces`)).last_mempool_tx_nonce).toBe(0);
  await get('/v2/transactions', { method: 'POST', body: hex });
  const [logged] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from event_log e join event_sources s on s.id = e.source where s.source = 'api'
  `;
  expect(logged!.count).toBe(1);

  await append(database, [{ path: '/new_mempool_tx', body: JSON.stringify([`0x${hex}`]) }]);
  await until(async () => (await ask(`/extended/v1/tx/0x${txId}`)).awaiting_node_report === undefined);
  expect((await ask('/extended/v1/tx/mempool')).results[0]).not.toHaveProperty('awaiting_node_report');
});
