import { Random } from '@cairn-stacks/devnet/random';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import {
  Client,
  CursorMoved,
  follow,
  postgres,
  type SqliteDatabase,
  type Store,
  sqlite,
} from '../../packages/client/src/index.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { emptyDatabase } from '../support/database.ts';
import { addressOf, type ServedChain, serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';

/** A transfer, or a block by its hash. */
type Row = { height: number; tx_id: string; amount: string };
/** The tables of a user, in one kind of database. */
type Tables = {
  /** The statement within the transaction of the sink, and the rows at the end. */
  open(): Promise<{
    store: Store<unknown>;
    run(sql: string, values?: unknown[]): Promise<unknown>;
    rows(): Promise<Row[]>;
  }>;
  /** Ends the connection in the middle of what it does. */
  kill(): Promise<void>;
};

const order = 'select height, tx_id, amount from transfers order by height, tx_id';

async function postgresTables(): Promise<Tables> {
  const database = await emptyDatabase({ onTestFinished });
  const clients: pg.Client[] = [];
  onTestFinished(async () => void (await Promise.all(clients.map(client => client.end().catch(() => {})))));
  return {
    async open() {
      const opened = new pg.Client(database.url);
      opened.on('error', () => {});
      await opened.connect();
      clients.push(opened);
      return {
        store: postgres(opened),
        run: (sql, values = []) => opened.query(sql, values),
        rows: async () => (await opened.query<Row>(order)).rows,
      };
    },
    async kill() {
      await database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name = ''
      `;
    },
  };
}

async function sqliteTables(): Promise<Tables | undefined> {
  const name = 'node:sqlite'; // types of Node.js 20 do not know it
  const found = await import(name).catch(() => undefined);
  if (!found) return undefined;
  const database = new found.DatabaseSync(':memory:') as SqliteDatabase;
  const values = (given: unknown[]) => given as never[];
  return {
    open: async () => ({
      store: sqlite(database),
      run: async (sql, given = []) => database.prepare(sql.replaceAll('$', '?')).run(...values(given)),
      rows: async () => (database.prepare(order).all() as Row[]).map(row => ({ ...row })),
    }),
    kill: async () => {},
  };
}

/** Follows the chain until the tables are at a tip; a callback that fails ends the process, which starts again. */
async function followTo(tables: Tables, client: Client, tip: string, fails: () => Promise<boolean>): Promise<Row[]> {
  for (;;) {
    const stop = new AbortController();
    try {
      const { store, run, rows } = await tables.open();
      await run('create table if not exists transfers (height int, tx_id text, amount text)');
      const stored = await rows();
      if (stored.some(({ tx_id }) => tx_id === tip)) return stored;
      await follow(client, {
        store,
        topics: ['blocks', 'transfers'],
        signal: stop.signal,
        async apply(_, { block, transfers = [] }) {
          for (const { tx_id, amount } of transfers)
            await run('insert into transfers values ($1, $2, $3)', [block.height, tx_id, amount]);
          await run('insert into transfers values ($1, $2, $3)', [block.height, block.index_block_hash, 'block']);
          if (await fails()) throw new Error('killed');
          if (block.index_block_hash === tip) setImmediate(() => stop.abort());
        },
        async rollback(_, to) {
          await run('delete from transfers where height > $1', [to.height]);
          if (await fails()) throw new Error('killed');
        },
      });
    } catch (error) {
      if (error instanceof CursorMoved) throw error;
    }
  }
}

const pay = (to: number, amount: bigint) => ({ kind: 'transfer', from: 0, to: addressOf(to), amount }) as const;

/** Blocks and transfers of the canonical chain, as the API lists them. */
async function canonical({ get }: ServedChain): Promise<Row[]> {
  const rows: Row[] = [];
  let query = 'from_height=1&topics=blocks,transfers&limit=100';
  for (;;) {
    const { results, position, at_tip: end } = await get(`/extended/v1/stream/pages?${query}`);
    for (const { block, transfers = [] } of results) {
      rows.push({ height: block.height, tx_id: block.index_block_hash, amount: 'block' });
      for (const { tx_id, amount } of transfers) rows.push({ height: block.height, tx_id, amount });
    }
    if (end) break;
    query = `after=${position}&topics=blocks,transfers&limit=100`;
  }
  return rows.sort((a, b) => a.height - b.height || (a.tx_id < b.tx_id ? -1 : 1));
}

test.for([
  ['PostgreSQL', postgresTables],
  ['SQLite', sqliteTables],
] as const)('tables in %s equal the chain after forks, cuts and kills', async ([, make], t) => {
  const tables = await make();
  if (!tables) return t.skip('this version of Node.js has no SQLite');
  const random = new Random(7);
  const chain = testChain();
  const first = mineLine(chain, chain.genesis, 4, { transactions: [pay(1, 5n)] });
  const api = await serveChain({ onTestFinished }, [chain.genesis, ...first]);
  const client = new Client(await api.app.listen({ port: 0, host: '127.0.0.1' }));
  let branch = first;
  let faults = 0;
  for (let round = 1; round <= 6; round++) {
    const keep = Math.max(branch.length - random.below(4), 1);
    const kept = branch.slice(0, keep);
    const added = mineLine(chain, kept.at(-1)!, branch.length - keep + 2, {
      transactions: [pay(1 + round, BigInt(round))],
    });
    branch = [...kept, ...added];
    await foldAll(api.database, added.flatMap(messagesOf));
    await until(() => api.tip.current?.height === branch.length);
    const rows = await followTo(tables, client, branch.at(-1)!.indexHash, async () => {
      if (random.below(4) > 0) return false;
      faults++;
      const kind = random.below(3);
      if (kind === 0) api.streams.stopOpen();
      if (kind === 1) await tables.kill();
      return kind === 2;
    });
    expect(rows).toEqual(await canonical(api));
  }
  expect(faults).toBeGreaterThan(5);
});

test('a sink goes back to the newest block that a service has which lost the last ones', async t => {
  const chain = testChain();
  const blocks = mineLine(chain, chain.genesis, 12, { transactions: [pay(1, 5n)] });
  const other = mineLine(chain, blocks[5]!, 9, { transactions: [pay(2, 7n)] });
  const tables = await postgresTables();
  const start = async (line: typeof blocks) => {
    const api = await serveChain(t, [chain.genesis, ...line]);
    // The service ends its connections itself; a server that is closed alone waits for those that send nothing.
    t.onTestFinished(() => api.app.server.closeAllConnections());
    return { api, client: new Client(await api.app.listen({ port: 0, host: '127.0.0.1' })) };
  };
  const lost = await start(blocks);
  const never = async () => false;
  await followTo(tables, lost.client, blocks.at(-1)!.indexHash, never);
  // Another database, whose nodes never told of the last blocks of the first one.
  const second = await start([...blocks.slice(0, 6), ...other]);
  expect(await followTo(tables, second.client, other.at(-1)!.indexHash, never)).toEqual(await canonical(second.api));
});

test('of two processes with one sink, the second one to move is refused', async () => {
  const tables = await postgresTables();
  const [first, second] = [await tables.open(), await tables.open()];
  const data = (position: string) => JSON.stringify({ type: 'apply', position, block: { height: 1 }, more: false });
  const applied: string[] = [];
  /** A sink whose service responds when it is told to. */
  const run = (name: string, store: Store<unknown>, response: () => Promise<void> | void) => {
    const stop = new AbortController();
    const fetch = async () => {
      await response();
      return new Response(`id: ${name}\ndata: ${data(name)}\n\n`);
    };
    const apply = () => {
      applied.push(name);
      stop.abort();
    };
    const source = { url: 'http://api.example', fetch };
    return follow(source, { store, signal: stop.signal, apply, rollback: () => {} });
  };
  // Both have read the same cursor when the first one moves it.
  const late = run('late', second.store, () => run('early', first.store, () => {}));
  await expect(late).rejects.toThrow(CursorMoved);
  expect(applied).toEqual(['early']);
});
