// What a contract prints, in a table of your own that is right after every fork and crash. Needs Node.js 22.13 for its SQLite,
// or DATABASE_URL for PostgreSQL. Run: CONTRACT=SP….name node examples/my-table.mjs
import { Client, follow, postgres, sqlite } from '@cairn-stacks/client';

const api = new Client(process.env.CAIRN_API ?? 'http://127.0.0.1:3999');
const contract = process.env.CONTRACT ?? 'ST3PDQA0PMRJ100XR0P2F8RV16M73ZJX10EG0H64F.pool';
const stop = new AbortController();
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());

/** One statement, in whichever database holds the table. */
let run;
let store;
if (process.env.DATABASE_URL) {
  const { default: pg } = await import('pg');
  const db = new pg.Client(process.env.DATABASE_URL);
  await db.connect();
  stop.signal.addEventListener('abort', () => db.end());
  store = postgres(db);
  run = (sql, values = []) => db.query(sql, values);
} else {
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(process.env.SQLITE_FILE ?? 'prints.db');
  store = sqlite(db);
  run = (sql, values = []) => db.prepare(sql.replace(/\$/g, '?')).run(...values);
}

await run('create table if not exists prints (height int, tx_id text, event_index int, value text)');
await follow(api, {
  store,
  name: `prints of ${contract}`,
  topics: ['contract_logs'],
  contract,
  signal: stop.signal,
  async apply(_, { block, contract_logs: logs = [] }) {
    for (const { tx_id, event_index, value } of logs)
      await run('insert into prints values ($1, $2, $3, $4)', [block.height, tx_id, event_index, value.repr]);
  },
  rollback: async (_, to) => void (await run('delete from prints where height > $1', [to.height])),
});
