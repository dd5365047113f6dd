// An exchange's deposit watcher: the table `deposits` has the STX that arrived at the addresses of the table `customers`, and
// nothing that a fork took back, whenever this program, Cairn or the database was killed. Needs a PostgreSQL database.
// Run: DATABASE_URL=postgres://… node examples/deposits.mjs
import { Client, follow, postgres } from '@cairn-stacks/client';
import pg from 'pg';

const api = new Client(process.env.CAIRN_API ?? 'http://127.0.0.1:3999');
const db = new pg.Client(process.env.DATABASE_URL);
const confirmations = Number(process.env.CONFIRMATIONS ?? 6);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());

await db.connect();
await db.query(`
  create table if not exists customers (address text primary key, name text not null);
  create table if not exists deposits (
    tx_id text, event_index int, height int not null, address text not null references customers,
    amount numeric not null, primary key (tx_id, event_index));
  create index if not exists deposits_by_height on deposits (height);
`);

await follow(api, {
  store: postgres(db),
  name: 'deposits',
  from: Number(process.env.FROM_HEIGHT ?? 1),
  topics: ['blocks', 'transfers'],
  asset: 'STX',
  signal: stop.signal,
  onRetry: error => console.error(`trying again: ${error.message}`),
  async apply(tx, { block, transfers = [] }) {
    await tx.query(
      `insert into deposits select d.tx_id, d.event_index, $1, d.recipient, d.amount
       from jsonb_to_recordset($2) as d (tx_id text, event_index int, recipient text, amount numeric)
       join customers c on c.address = d.recipient`,
      [block.height, JSON.stringify(transfers)],
    );
    const { rows } = await tx.query('select * from deposits where height = $1', [block.height - confirmations]);
    for (const { address, amount, tx_id } of rows) console.log(`${amount} µSTX for ${address} are final: ${tx_id}`);
  },
  rollback: (tx, to) => tx.query('delete from deposits where height > $1', [to.height]).then(() => {}),
});
await db.end();
