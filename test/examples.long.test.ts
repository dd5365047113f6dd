import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { emptyDatabase } from './support/database.ts';
import { devnetForFile } from './support/sdk.ts';
import { until } from './support/service.ts';

const devnet = devnetForFile({ blocks: 12 });
/** The account that deploys the contracts of the devnet. */
const deployer = 'ST3PDQA0PMRJ100XR0P2F8RV16M73ZJX10EG0H64F';

/** A database for an example, and the example itself; `restart` kills it as kill -9 does. */
async function runExample(name: string, env: Record<string, string>, prepare = '') {
  const database = await emptyDatabase({ onTestFinished });
  const db = new pg.Client(database.url);
  await db.connect();
  onTestFinished(() => db.end());
  if (prepare !== '') await db.query(prepare);
  const file = fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
  let child: ChildProcess | undefined;
  let problems = '';
  const start = () => {
    child = spawn(process.execPath, [file], {
      env: { PATH: process.env.PATH, CAIRN_API: devnet.url, DATABASE_URL: database.url, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr!.on('data', data => {
      problems += data;
    });
  };
  const kill = async (signal: NodeJS.Signals) => {
    const exited = once(child!, 'exit');
    child!.kill(signal);
    return (await exited)[0] as number | null;
  };
  onTestFinished(async () => void child?.kill('SIGKILL'));
  start();
  return {
    async restart() {
      await kill('SIGKILL');
      start();
    },
    stop: () => kill('SIGTERM'),
    rows: async (sql: string) => (await db.query(sql).catch(() => ({ rows: [] }))).rows,
    problems: () => problems,
  };
}

type Listed = { results: { block: { height: number }; transfers?: Transfer[]; contract_logs?: { tx_id: string }[] }[] };
type Transfer = { tx_id: string; event_index: number; recipient: string; amount: string };

const page = (query: string) => devnet.get<Listed>(`/extended/v1/stream/pages?from_height=1&limit=100&${query}`);

test('the deposit watcher has exactly the deposits of the chain after forks and kills', async () => {
  const customer = devnet.account('account_0').address;
  const example = await runExample(
    'deposits.mjs',
    {},
    `create table customers (address text primary key, name text not null);
     insert into customers values ('${customer}', 'alice'), ('${deployer}', 'deployer')`,
  );
  const deposits =
    'select tx_id, event_index, height, address, amount::text from deposits order by height, tx_id, event_index';
  for (const depth of [0, 3, 2]) {
    await devnet.mine(2);
    await fetch(`${devnet.url}/extended/v1/faucets/stx?address=${customer}`, { method: 'POST' });
    if (depth > 0) await devnet.fork(depth);
    await example.restart();
    await devnet.mine(2);
  }
  const { results } = await page('topics=transfers&asset=STX');
  const expected = results
    .flatMap(({ block, transfers = [] }) => transfers.map(transfer => ({ ...transfer, height: block.height })))
    .filter(({ recipient }) => [customer, deployer].includes(recipient))
    .map(({ tx_id, event_index, height, recipient, amount }) => ({
      tx_id,
      event_index,
      height,
      address: recipient,
      amount,
    }))
    .sort((a, b) => a.height - b.height || (a.tx_id < b.tx_id ? -1 : 1) || a.event_index - b.event_index);
  expect(expected.length).toBeGreaterThan(0);
  await until(async () => JSON.stringify(await example.rows(deposits)) === JSON.stringify(expected));
  expect([await example.stop(), example.problems()]).toEqual([0, '']);
});

test('an own table has exactly the prints of a contract', async () => {
  const contract = `${deployer}.pool`;
  const example = await runExample('my-table.mjs', { CONTRACT: contract });
  await devnet.mine(3);
  await devnet.fork(2);
  await example.restart();
  const { results } = await page(`topics=contract_logs&contract=${contract}`);
  const expected = results.flatMap(({ block, contract_logs: logs = [] }) =>
    logs.map(({ tx_id }) => ({ height: block.height, tx_id })),
  );
  const prints = 'select height, tx_id from prints order by height, event_index';
  const sorted = (rows: unknown[]) => rows.map(row => JSON.stringify(row)).sort();
  await until(async () => sorted(await example.rows(prints)).join() === sorted(expected).join());
  await example.stop();
});
