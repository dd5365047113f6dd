import type { Pool } from '../../../src/db/client.ts';
import { readRecordedEvents } from '../../../src/ingest/replay/recorded-events.ts';
import { type BenchDatabase, countStatements, measureSizes, openBenchDatabase } from '../bench-database.ts';
import { median, say } from '../figures.ts';
import { FoldWatch } from '../fold-watch.ts';
import { loadHttp } from '../http-load.ts';
import type { Load } from '../load.ts';
import { Poster } from '../poster.ts';
import { reorganize } from '../reorganization.ts';
import { replay, runCommand, type Service, startService } from '../service.ts';
import { databaseCpuSeconds } from '../usage.ts';
import { limitProcessors } from './processors.ts';
import { type RouteReads, readAllRoutes } from './route-pages.ts';

type Figures = Record<string, number>;

/** Everything that is measured on a chain of one length. */
export type ChainGrowth = { figures: Figures; reads: Map<string, RouteReads> };

const orphaned = 10;
const reorganizations = 3;
/** Nothing but reads, each of them from the tables. */
const readsOnly = { CAIRN_ROLE: 'api', CAIRN_RESPONSE_CACHE_BYTES: '1024', CAIRN_ITEM_CACHE_BYTES: '1024' };

/** Loads the chain in bulk, checks it, reads from it, takes its last blocks back and rebuilds it. */
export async function measureChain(
  load: Load,
  wanted: (part: 'verify' | 'rebuild' | 'reads' | 'rollback') => boolean,
): Promise<ChainGrowth> {
  const database = await openBenchDatabase({ statements: 'later' });
  try {
    const figures = await loadInBulk(load, database);
    if (wanted('verify')) Object.assign(figures, await verify(load, database));
    if (wanted('rebuild')) Object.assign(figures, await rebuild(load, database));
    await countStatements(database.sql);
    if (wanted('rollback')) {
      await markAudited(database.sql);
      await withService(database, {}, async service => {
        figures.rollback_10_ms = await timeRollback(load, database.sql, service);
      });
    }
    await database.sql`vacuum analyze`;
    const { databaseBytes, tableBytes } = await measureSizes(database);
    figures.db_bytes_per_event_byte = databaseBytes / load.eventBytes;
    figures.tables_bytes_per_event_byte = tableBytes / load.eventBytes;
    figures.db_bytes_per_block = databaseBytes / load.blocks;
    const reads = new Map<string, RouteReads>();
    if (wanted('reads')) {
      await withService(database, { ...readsOnly, DATABASE_URL: database.url }, async ({ apiPort }) => {
        for (const [name, read] of await readAllRoutes(database.sql, apiPort)) reads.set(name, read);
        Object.assign(figures, await timeReads(apiPort, reads));
      });
    }
    if (wanted('reads') && wanted('rollback')) figures.indexes_unread_mb = await sumUnreadIndexes(database.sql);
    return { figures, reads };
  } finally {
    await database.stop();
  }
}

async function loadInBulk(load: Load, { dataDir, sql }: BenchDatabase): Promise<Figures> {
  say(`growth: replaying ${load.blocks} blocks, ${Math.round(load.eventBytes / 1e6)} MB`);
  const before = await databaseCpuSeconds(sql);
  const { seconds, usage } = await replay(dataDir, load.file);
  const database = ((await databaseCpuSeconds(sql)) ?? Number.NaN) - (before ?? Number.NaN);
  return {
    bulk_blocks_per_s: load.blocks / seconds,
    bulk_cpu_ms_per_block: ((usage?.cpuSeconds ?? Number.NaN) * 1000) / load.blocks,
    bulk_db_cpu_ms_per_block: (database * 1000) / load.blocks,
    bulk_rss_mb: usage?.peakMb ?? Number.NaN,
  };
}

/** The bulk load of a chain while service and database may use only so many processors. */
export async function compareBulkLoads(load: Load, processors: readonly number[]): Promise<Figures> {
  const figures: Figures = {};
  for (const count of processors) {
    const database = await openBenchDatabase();
    try {
      const release = await limitProcessors(database.sql, count);
      const measured = await loadInBulk(load, database).finally(release);
      for (const [name, value] of Object.entries(measured)) figures[`${name}_on_${count}`] = value;
    } finally {
      await database.stop();
    }
  }
  return figures;
}

/** Fails if the command finds a fault. */
async function verify(load: Load, { dataDir }: BenchDatabase): Promise<Figures> {
  say(`growth: verifying ${load.blocks} blocks`);
  const { seconds, usage } = await runCommand(dataDir, ['verify']);
  return { verify_blocks_per_s: load.blocks / seconds, verify_rss_mb: usage?.peakMb ?? Number.NaN };
}

async function rebuild(load: Load, { dataDir }: BenchDatabase): Promise<Figures> {
  say(`growth: rebuilding ${load.blocks} blocks`);
  const { seconds, usage } = await runCommand(dataDir, ['rebuild', '--yes']);
  return { rebuild_blocks_per_s: load.blocks / seconds, rebuild_rss_mb: usage?.peakMb ?? Number.NaN };
}

async function withService(
  { dataDir }: BenchDatabase,
  settings: Record<string, string>,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const service = await startService(dataDir, settings);
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

/** Reads whose time is a figure of its own: points, lists, filters and searches, by the name of their variant. */
const timed: Record<string, string> = {
  transaction: '/extended/v1/tx/{tx_id}',
  block: '/extended/v2/blocks/{height_or_hash}',
  account: '/extended/v1/address/{principal}/stx',
  block_list: '/extended/v2/blocks/',
  transaction_list: '/extended/v1/tx/',
  account_transactions: '/extended/v2/addresses/{address}/transactions',
  account_assets: '/extended/v1/address/{principal}/assets',
  contract_filter: '/extended/v1/tx/ contract_id',
  transaction_history: '/extended/v1/history/transactions',
};
const searchPath = '/extended/v3/search?q=tok';
const repeats = 30;

async function timeReads(port: number, reads: ReadonlyMap<string, RouteReads>): Promise<Figures> {
  const figures: Figures = {};
  const urls = Object.entries({ ...timed, search: searchPath }).map(
    ([name, key]) => [name, key === searchPath ? key : reads.get(key)?.url] as const,
  );
  for (const [name, url] of urls) {
    if (url === undefined) {
      say(`growth: the chain has no values for ${name}`);
      continue;
    }
    // Another parameter, so that no response is shared.
    const paths = Array.from({ length: repeats }, (_, i) => `${url}${url.includes('?') ? '&' : '?'}n=${i}`);
    const { latencies } = await loadHttp({ port, paths, concurrency: 1, count: repeats });
    if (latencies.length === repeats) figures[`${name}_ms`] = median(latencies);
    else say(`growth: not answered 200: ${url}`);
  }
  return figures;
}

/** `cairn verify` has seen every block: the audit of the service would measure itself. */
async function markAudited(sql: Pool): Promise<void> {
  await sql`
    update audit_position set height = p.height, index_hash = p.index_hash from fold_position p
  `;
}

/**
 * Names the indexes that neither a GET with any filter nor a rollback has read, and sums their bytes. Those that keep keys unique
 * do not count. A short chain is read without indexes.
 */
async function sumUnreadIndexes(sql: Pool): Promise<number> {
  const unread = await sql<{ name: string; bytes: bigint }[]>`
    select s.indexrelname as name, pg_relation_size(s.indexrelid) as bytes
    from pg_stat_user_indexes s
    join pg_index i on i.indexrelid = s.indexrelid
    where s.schemaname = 'public' and s.idx_scan = 0 and not i.indisunique and pg_relation_size(s.indexrelid) > 100000
    order by 2 desc
  `;
  for (const { name, bytes } of unread) say(`growth: nothing has read ${name}, ${Number(bytes) / 1e6} MB`);
  return unread.reduce((sum, { bytes }) => sum + Number(bytes), 0) / 1e6;
}

/** The median of several, each of which orphans the last blocks of the one before. */
async function timeRollback(load: Load, sql: Pool, { observerPort }: Service): Promise<number> {
  let last: Buffer[] = [];
  for await (const { path, body } of readRecordedEvents(load.file)) {
    if (path !== '/new_block') continue;
    last.push(body);
    if (last.length > orphaned) last.shift();
  }
  const poster = new Poster(observerPort);
  const watch = new FoldWatch(sql);
  await watch.start();
  const times: number[] = [];
  for (let i = 0; i < reorganizations; i++) {
    const { branch, ms } = await reorganize(sql, last, poster, watch);
    last = branch.slice(-orphaned);
    times.push(ms);
  }
  poster.close();
  return median(times);
}
