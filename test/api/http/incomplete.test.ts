import { networkOf } from '@cairn-stacks/codec/network';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { Auditor } from '../../../src/audit/auditor.ts';
import { EventLog } from '../../../src/ingest/log/event-log.ts';
import { createLog } from '../../../src/log.ts';
import { rosettaServer } from '../../../src/rosetta/server.ts';
import { startApi, startShell } from '../../support/api.ts';
import { messagesOf, mineLine, testChain } from '../../support/chain.ts';
import { bodyOf } from '../../support/healing.ts';
import { append, eventOf, folded, startFold, until } from '../../support/service.ts';
import { tipAt } from '../../support/tip.ts';

const header = 'x-cairn-incomplete';
const address = (account: number) => accountAt(account, false).address;

/** The block as a node would replay it: without the operation that a Bitcoin transaction carried. */
function withoutOperation(block: BuiltBlock) {
  const body = bodyOf(block);
  const transactions = body.transactions.filter(tx => tx.raw_tx !== '0x00');
  const ids = transactions.map(tx => tx.txid);
  const events = body.events
    .filter(event => ids.includes(event.txid))
    .map((event, event_index) => ({ ...event, event_index }));
  const mark = { cairn_healed: { unknown: ['burn_operations'] } };
  return { ...block, body: { ...body, ...mark, transactions, events } };
}

test('responses, status and audit name an incomplete block until its event arrives', async t => {
  const { app, database, tip } = await startApi(t);
  const chain = testChain({ seed: 51 });
  const trunk = mineLine(chain, chain.genesis, 4);
  const operation = { from: 1, kind: 'transfer_stx', to: address(2), amount: 555_000n } as const;
  const cut = chain.mine(trunk[3], { tenure: 'new', burnOperations: [operation], transactions: 0 });
  const above = mineLine(chain, cut, 3, { transactions: 0 });
  const txid = String(bodyOf(cut).transactions.find(tx => tx.raw_tx === '0x00')!.txid);
  const fold = startFold(database);
  t.onTestFinished(() => fold.stop());
  const get = (url: string) => app.inject({ url });
  const shown = () => until(async () => (tip.current?.height ?? 0) === 8 || undefined);

  await append(database, [chain.genesis, ...trunk].flatMap(messagesOf));
  const log = new EventLog(database.sql);
  await log.append({ ...eventOf(withoutOperation(cut)), source: 'fetched' });
  await log.close();
  await folded(database.sql, await append(database, above.flatMap(messagesOf)));
  await shown();
  const auditor = new Auditor(database.sql, createLog({ level: 'silent', format: 'json' }));
  auditor.start();
  t.onTestFinished(() => auditor.stop());

  const incomplete = { blocks: 1, heights: [5], unknown: ['burn_operations'] };
  expect((await get('/extended/v1/status/ingest')).json()).toMatchObject({ incomplete });
  const urls = [
    `/extended/v1/address/${address(2)}/stx`,
    `/extended/v1/address/${address(2)}/transactions`,
    '/extended/v2/blocks/5',
    `/extended/v1/tx/${txid}`,
    `/extended/v1/search/${txid}`,
  ];
  // Twice: a kept answer says so too.
  for (const url of [...urls, ...urls]) expect((await get(url)).headers[header], url).toBe('5');
  expect((await get(`/extended/v1/tx/${txid}`)).statusCode).toBe(404);
  const before = (await get(urls[0]!)).json() as { balance: string };
  const findings = async () => {
    const { findings, faults } = (await get('/extended/v1/status/audit')).json() as {
      findings: { check: string; subject: string; message: string; reason: string | null }[];
      faults: number;
    };
    expect(faults).toBe(0);
    return findings;
  };
  const found = await until(async () => ((await findings()).length > 0 ? await findings() : undefined));
  expect(found).toMatchObject([{ check: 'completeness', subject: 'block 5', message: 'unknown: burn_operations' }]);
  expect(found[0]!.reason).not.toBeNull();

  await folded(database.sql, await append(database, [cut]));
  await until(async () => tip.current?.incomplete.length === 0);
  expect((await get('/extended/v1/status/ingest')).json()).toMatchObject({ incomplete: { blocks: 0, heights: [] } });
  for (const url of urls) expect((await get(url)).headers[header], url).toBeUndefined();
  expect((await get(`/extended/v1/tx/${txid}`)).statusCode).toBe(200);
  const after = (await get(urls[0]!)).json() as { balance: string };
  expect(BigInt(after.balance) - BigInt(before.balance)).toBe(555_000n);
  await until(async () => (await findings()).length === 0);
});

test('the header of many incomplete blocks names the lowest; Rosetta has it where it reads the chain', async t => {
  const incomplete = [190, 195, 199, 202, 205, 207];
  const tip = tipAt(9, { height: 300, burnHeight: 200, blockBurnHeight: 200, incomplete });
  const empty = Type.Object({});
  const route = (path: `/${string}`) => {
    const operationId = path.replaceAll('/', '_');
    return { path, operationId, summary: path, request: empty, response: empty, handler: () => ({}) };
  };
  const { app } = await startShell(
    t,
    { current: tip },
    {
      routes: async scope => {
        await scope.register(
          rosettaServer({
            routes: [route('/account/balance'), route('/construction/derive')],
            network: networkOf(0x8000_0000),
            compat: false,
            bodyLimit: 1_000,
            log: createLog({ level: 'silent', format: 'json' }),
          }),
        );
      },
    },
  );
  const post = (path: string) => app.inject({ method: 'POST', url: `/rosetta/v1${path}`, payload: {} });
  expect((await post('/account/balance')).headers[header]).toBe('190,195,199,202,205,...');
  expect((await post('/construction/derive')).headers[header]).toBeUndefined();
});
