import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, follow, postgres } from '@cairn-stacks/client';
import pg from 'pg';
import { FeedRecord } from './feed-record.ts';
import { say } from './figures.ts';
import type { CanonicalBlock } from './forking-chain.ts';

/** Something that follows the chain and can be killed; it begins again by itself. */
export type FeedReader = {
  /** Ends it at once, as kill -9 would; it goes on from what it had stored. */
  kill(): void;
  stop(): Promise<void>;
  tip(): Promise<string | undefined>;
  /** What it has at the end. */
  blocks(): Promise<Omit<CanonicalBlock, 'height'>[]>;
  faultsOfOrder(): { repeated: number; outOfOrder: number };
};

/** A client with the stream of all blocks and transfers. */
export function streamReader(client: Client): FeedReader {
  const record = new FeedRecord();
  let life = new AbortController();
  let stopped = false;
  const run = async () => {
    while (!stopped) {
      life = new AbortController();
      const { signal } = life;
      const start = record.position === undefined ? { fromHeight: 1 } : { after: record.position };
      for await (const event of client.stream({
        topics: ['blocks', 'transfers'],
        event_type: ['stx_transfer'],
        signal,
        ...start,
      })) {
        if (signal.aborted) break; // what a killed process has read and not handled is lost with it
        record.receive(event);
      }
    }
  };
  const running = run().catch(error => say(`feeds: a client ended: ${error}`));
  return {
    kill: () => life.abort(),
    async stop() {
      stopped = true;
      life.abort();
      await running;
    },
    tip: async () => record.tip,
    blocks: async () => record.blocks,
    faultsOfOrder: () => ({ repeated: record.repeated, outOfOrder: record.outOfOrder }),
  };
}

/** A sink in tables of its own; a kill ends its connection in the middle of what it does. */
export async function sinkReader(client: Client, url: string, name: string): Promise<FeedReader> {
  const reader = new pg.Client(url);
  await reader.connect();
  await reader.query(`
    create schema if not exists ${name};
    create table ${name}.blocks (height int primary key, hash text not null);
    create table ${name}.transfers (height int not null, place serial, tx_id text not null);
  `);
  let life = new AbortController();
  let backend: number | undefined;
  let stopped = false;
  const live = async () => {
    life = new AbortController();
    const db = new pg.Client({ connectionString: url, options: `-c search_path=${name}` });
    db.on('error', () => {});
    await db.connect();
    try {
      backend = (await db.query('select pg_backend_pid() as pid')).rows[0].pid;
      await follow(client, {
        store: postgres(db),
        name,
        topics: ['blocks', 'transfers'],
        event_type: ['stx_transfer'],
        signal: life.signal,
        async apply(tx, { block, transfers = [] }) {
          await tx.query('insert into blocks values ($1, $2) on conflict do nothing', [
            block.height,
            block.index_block_hash,
          ]);
          const ids = transfers.map(({ tx_id }) => tx_id);
          await tx.query('insert into transfers (height, tx_id) select $1, unnest($2::text[])', [block.height, ids]);
        },
        async rollback(tx, to) {
          for (const table of ['blocks', 'transfers'])
            await tx.query(`delete from ${table} where height > $1`, [to.height]);
        },
      });
    } finally {
      await db.end().catch(() => {});
    }
  };
  const run = async () => {
    while (!stopped) {
      // Its database is away, or it was killed: its supervisor starts it again.
      await live().catch(() => {});
      if (!stopped) await sleep(20);
    }
  };
  const running = run();
  return {
    kill() {
      // The server rolls back what a killed process had begun.
      void reader.query('select pg_terminate_backend($1)', [backend]).catch(error => say(`feeds: ${error}`));
      life.abort();
    },
    async stop() {
      stopped = true;
      life.abort();
      await running;
      await reader.end();
    },
    async tip() {
      const { rows } = await reader.query(`select hash from ${name}.blocks order by height desc limit 1`);
      return rows[0]?.hash;
    },
    async blocks() {
      const { rows } = await reader.query(`
        select b.hash, array(select tx_id from ${name}.transfers t where t.height = b.height order by place) as transfers
        from ${name}.blocks b order by height`);
      return rows;
    },
    faultsOfOrder: () => ({ repeated: 0, outOfOrder: 0 }),
  };
}
