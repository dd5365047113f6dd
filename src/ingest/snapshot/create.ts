import { availableParallelism } from 'node:os';
import { version } from '../../config/version.ts';
import { connect, type Sql } from '../../db/client.ts';
import { CopyConnection } from '../../db/copy-connection.ts';
import { isConnectionLost } from '../../db/database-error.ts';
import { UsageError } from '../../errors.ts';
import { rebuildLock } from '../load/rebuild.ts';
import { CHUNK_BYTES, writeChunk } from './chunk.ts';
import { type EventFilter, findEventFilter } from './event-filter.ts';
import { type Chunk, type Manifest, type Part, type StoredManifest, writeManifest } from './manifest.ts';
import type { Store } from './store.ts';
import {
  describeTables,
  listTableNames,
  PART_BYTES,
  type PageRange,
  rangesOf,
  type SourceTable,
} from './table-ranges.ts';

export type CreateOptions = {
  url: string;
  store: Store;
  /** Leaves out the events that `cairn prune` would remove, except those of this many blocks below the tip. */
  keepBlocks?: number | undefined;
  /** Bytes of a chunk and of a part before compression; both have defaults. */
  chunkBytes?: number;
  partBytes?: number;
  onProgress?: (progress: CreateProgress) => void;
  signal?: AbortSignal;
};

export type CreateProgress = {
  /** Bytes of tables that are copied, of `total`; both as on disk. */
  done: number;
  total: number;
  rows: number;
};

export type CreatedSnapshot = StoredManifest & {
  /** Bytes of the COPY streams. */
  bytes: number;
  storedBytes: number;
  /** Of `storedBytes`, those that the store had already. */
  reusedBytes: number;
};

/** Connections that copy at once. */
const WORKERS = Math.min(4, Math.max(2, availableParallelism()));
/** How often a part is copied again after its connection was lost; the consistent point remains. */
const ATTEMPTS = 3;

type Task = { table: SourceTable; range: PageRange; index: number };
type CopiedPart = { index: number; part: Part; reusedBytes: number };

/**
 * Copies all tables as of one point to a store, while ingest goes on. All connections share one snapshot of the database, which
 * lasts as long as the transaction of this call. Chunks that the store already has are not written again.
 */
export async function createSnapshot(options: CreateOptions): Promise<CreatedSnapshot> {
  const pool = connect(options.url, { max: 1, name: 'cairn snapshot' });
  try {
    const names = await listTableNames(pool);
    if (!names.includes('fold_position')) throw new UsageError('the database has no tables of Cairn');
    const { manifest, reusedBytes } = await pool.begin('isolation level repeatable read read only', async sql => {
      // Before the first read: a table that is replaced after the snapshot was taken would seem empty.
      await sql`lock table ${sql.unsafe(names.map(quote).join(', '))} in access share mode`;
      return await copyAll(sql, names, options);
    });
    options.signal?.throwIfAborted();
    const stored = await writeManifest(options.store, manifest);
    const chunks = manifest.tables.flatMap(({ parts }) => parts.flatMap(part => part.chunks));
    return { ...stored, bytes: sum(chunks, 'bytes'), storedBytes: sum(chunks, 'stored_bytes'), reusedBytes };
  } finally {
    await pool.end({ timeout: 5 });
  }
}

const sum = (chunks: Chunk[], field: 'bytes' | 'stored_bytes') => chunks.reduce((all, chunk) => all + chunk[field], 0);

async function copyAll(sql: Sql, names: string[], options: CreateOptions) {
  const [lock] = await sql<{ got: boolean }[]>`select pg_try_advisory_xact_lock_shared(${rebuildLock}) as got`;
  if (!lock!.got) throw new UsageError('a rebuild of this database is running: wait until it has ended');
  const facts = await readFacts(sql);
  const tables = await describeTables(sql, names);
  const filter = options.keepBlocks === undefined ? undefined : await findEventFilter(sql, options.keepBlocks);
  const [point] = await sql<{ snapshot: string }[]>`select pg_export_snapshot() as snapshot`;
  const copied = await copyTables(tables, point!.snapshot, filter, options);
  const sequences = await readSequences(sql, names);
  const manifest: Manifest = {
    ...facts,
    ...(filter && { pruned_to: String(filter.prunedTo) }),
    sequences,
    tables: tables.map(({ name, columns }) => {
      const parts = copied
        .get(name)!
        .sort((a, b) => a.index - b.index)
        .map(({ part }) => part);
      return { name, columns, rows: parts.reduce((rows, part) => rows + part.rows, 0), parts };
    }),
  };
  const reusedBytes = [...copied.values()].flat().reduce((all, part) => all + part.reusedBytes, 0);
  return { manifest, reusedBytes };
}

/** Reads what the manifest says about the chain; throws if there is no chain, or if it is being loaded. */
async function readFacts(sql: Sql): Promise<Omit<Manifest, 'tables' | 'sequences'>> {
  type Facts = Omit<Manifest, 'format' | 'program' | 'migrations' | 'tables' | 'sequences'> & { bulk: boolean };
  const [facts] = await sql<Facts[]>`
    select
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
      current_setting('server_version') as postgres,
      i.network, i.chain_id::float8 as chain_id, i.simulated,
      p.height, encode(p.index_hash, 'hex') as index_hash,
      coalesce((select encode(b.hash, 'hex') from blocks b where b.height = p.height), '') as block_hash,
      p.event_id::text as event_id, h.last_id::text as last_event_id, p.journal_seq::text as journal_seq,
      h.pruned_to::text as pruned_to,
      (
        select sum(pg_total_relation_size(c.oid))::float8
        from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      ) as database_bytes,
      p.bulk
    from fold_position p
    cross join event_log_head h
    cross join chain_identity i
  `;
  if (!facts) throw new UsageError('the database holds no chain: there is nothing to copy');
  const { bulk, ...rest } = facts;
  if (bulk) throw new UsageError('a bulk load of this database has not ended: run the snapshot after it');
  const migrations = await sql<Manifest['migrations']>`select m.name, m.checksum from migrations m order by m.name`;
  return { format: 1, program: version, ...rest, migrations: [...migrations] };
}

async function readSequences(sql: Sql, names: string[]): Promise<Manifest['sequences']> {
  const found = await sql<{ table: string; column: string; sequence: string }[]>`
    select c.relname as "table", a.attname as "column", pg_get_serial_sequence(format('%I', c.relname), a.attname) as sequence
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
    where c.relnamespace = 'public'::regnamespace and c.relname = any (${names})
    order by c.relname
  `;
  const sequences: Manifest['sequences'] = [];
  for (const { table, column, sequence } of found) {
    // The name comes quoted from the server.
    const [row] = await sql<{ value: string; called: boolean }[]>`
      select s.last_value::text as value, s.is_called as called from ${sql.unsafe(sequence)} s
    `;
    sequences.push({ table, column, ...row! });
  }
  return sequences;
}

/** Copies all ranges of all tables, the largest tables first; resolves with the parts of each table. */
async function copyTables(
  tables: SourceTable[],
  point: string,
  filter: EventFilter | undefined,
  { url, store, chunkBytes = CHUNK_BYTES, partBytes = PART_BYTES, onProgress, signal }: CreateOptions,
): Promise<Map<string, CopiedPart[]>> {
  const total = tables.reduce((all, { bytes }) => all + bytes, 0);
  const largest = tables.toSorted((a, b) => b.bytes - a.bytes);
  const tasks = largest.flatMap(table =>
    rangesOf(table, partBytes).map((range, index): Task => ({ table, range, index })),
  );
  const copied = new Map<string, CopiedPart[]>(tables.map(({ name }) => [name, []]));
  const left = tasks[Symbol.iterator]();
  const failed = new AbortController();
  const stop = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
  let done = 0;
  let rows = 0;
  const worker = async () => {
    const session = new PointSession(url, point, stop);
    try {
      for (const task of left) {
        stop.throwIfAborted();
        const result = await session.retry(connection => copyPart({ connection, store, task, filter, chunkBytes }));
        done += task.range.bytes;
        rows += result?.part.rows ?? 0;
        if (result) copied.get(task.table.name)!.push(result);
        onProgress?.({ done, total, rows });
      }
    } catch (error) {
      failed.abort(error);
      throw error;
    } finally {
      await session.end();
    }
  };
  await Promise.allSettled(Array.from({ length: WORKERS }, worker));
  stop.throwIfAborted();
  return copied;
}

/** A connection that reads as of the exported snapshot; it is opened again when it is lost. */
class PointSession {
  readonly #url: string;
  readonly #point: string;
  readonly #signal: AbortSignal;
  #connection: CopyConnection | undefined;

  constructor(url: string, point: string, signal: AbortSignal) {
    this.#url = url;
    this.#point = point;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#connection?.destroy(), { once: true });
  }

  /** Runs work on the connection; repeats it on another one if the connection was lost meanwhile. */
  async retry<T>(work: (connection: CopyConnection) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#connection ??= await this.#open();
        return await work(this.#connection);
      } catch (error) {
        const lost = this.#connection?.lost !== undefined || isConnectionLost(error);
        this.#connection?.destroy();
        this.#connection = undefined;
        if (this.#signal.aborted || !lost || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async end(): Promise<void> {
    await this.#connection?.end();
  }

  async #open(): Promise<CopyConnection> {
    const connection = await CopyConnection.open(this.#url, 'cairn snapshot');
    await connection.query('begin isolation level repeatable read read only');
    try {
      await connection.query(`set transaction snapshot '${this.#point}'`);
    } catch (cause) {
      connection.destroy();
      throw new UsageError(
        'the consistent point of the snapshot was lost: run the command again; chunks that are stored are not written again',
        { cause },
      );
    }
    return connection;
  }
}

type PartCopy = {
  connection: CopyConnection;
  store: Store;
  task: Task;
  filter: EventFilter | undefined;
  chunkBytes: number;
};

/** Copies one range of a table; undefined if it has no rows. */
async function copyPart({ connection, store, task, filter, chunkBytes }: PartCopy): Promise<CopiedPart | undefined> {
  const { table, range, index } = task;
  const chunks: Chunk[] = [];
  let reusedBytes = 0;
  let pending: Buffer[] = [];
  let size = 0;
  const flush = async () => {
    const { reused, ...chunk } = await writeChunk(store, Buffer.concat(pending));
    if (reused) reusedBytes += chunk.stored_bytes;
    chunks.push(chunk);
    pending = [];
    size = 0;
  };
  // Chunks end at fixed places, so that the same rows give the same chunks.
  const rows = await connection.copyTo(copyText(table, range, filter), async bytes => {
    let rest = bytes;
    while (size + rest.length >= chunkBytes) {
      const fits = chunkBytes - size;
      pending.push(rest.subarray(0, fits));
      await flush();
      rest = rest.subarray(fits);
    }
    pending.push(rest);
    size += rest.length;
  });
  if (rows === 0) return undefined;
  if (size > 0) await flush();
  return { index, part: { rows, chunks }, reusedBytes };
}

function copyText({ name, columns }: SourceTable, { from, to }: PageRange, filter: EventFilter | undefined): string {
  const { values, condition } = filter?.tables[name] ?? {};
  const selected = columns.map(column => values?.[column.name] ?? `r.${quote(column.name)}`);
  const conditions = [`r.ctid >= '(${from},0)'`, ...(to === undefined ? [] : [`r.ctid < '(${to},0)'`])];
  if (condition !== undefined) conditions.push(`(${condition})`);
  const rows = `select ${selected.join(', ')} from public.${quote(name)} r where ${conditions.join(' and ')}`;
  return `copy (${rows}) to stdout with (format binary)`;
}

/** A name in SQL text. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
