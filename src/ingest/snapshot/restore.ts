import { availableParallelism } from 'node:os';
import { connect, type Pool } from '../../db/client.ts';
import { CopyConnection } from '../../db/copy-connection.ts';
import { readMigrations } from '../../db/migrate.ts';
import { isChecksumOf } from '../../db/migration-checksum.ts';
import { UsageError } from '../../errors.ts';
import { DamagedChunk, readChunk } from './chunk.ts';
import { quote } from './create.ts';
import type { Manifest, Part, SnapshotTable, StoredManifest } from './manifest.ts';
import {
  buildText,
  completeTarget,
  type DeferredIndex,
  inspectTarget,
  listDeferred,
  listLoaded,
  prepareTarget,
  recordLoaded,
} from './restore-state.ts';
import type { Store } from './store.ts';
import { assertPortable } from './table-ranges.ts';
import { chunksOf, verifyChunks } from './verify.ts';

export type RestoreOptions = {
  url: string;
  store: Store;
  snapshot: StoredManifest;
  /** Reads all chunks once before anything is written. Otherwise a damaged chunk is found while the tables are filled. */
  verify: boolean;
  /** Bytes of COPY streams that one transaction loads, at least one part. */
  commitBytes?: number;
  onProgress?: (progress: RestoreProgress) => void;
  log?: (message: string) => void;
  signal?: AbortSignal;
};

export type RestoreProgress = { step: 'verifying' | 'restoring'; done: number; total: number; rows: number };

/** Session lock that only one restore of a database holds: "resto" as a number. */
const restoreLock = 0x726573746fn;

/** Tables that are filled at once, each on its own connection. */
const WORKERS = Math.min(4, Math.max(2, availableParallelism()));

/**
 * The first transaction of a table also truncates it: then the server need not write the rows to its write-ahead log if
 * `wal_level` is minimal, and stores them frozen. So most tables are loaded in one transaction.
 */
const COMMIT_BYTES = 1 << 30;

/** The database holds a chain already. */
class TargetInUse extends UsageError {
  override name = 'TargetInUse';
}

/** Another process restores into the same database. */
export class RestoreRunning extends UsageError {
  override name = 'RestoreRunning';
}

/**
 * Fills an empty database with a snapshot. An interrupted restore continues when it is called with the same snapshot. Throws a
 * UsageError before anything is written if the snapshot or the database is not suitable.
 */
export async function restoreSnapshot(options: RestoreOptions): Promise<void> {
  const { url, store, snapshot, verify, commitBytes = COMMIT_BYTES, onProgress, log = () => {}, signal } = options;
  assertRestorable(snapshot);
  const holder = connect(url, { max: 1, name: 'cairn restore lock' });
  const sql = connect(url, { max: 2, name: 'cairn restore' });
  try {
    const [lock] = await holder<{ got: boolean }[]>`select pg_try_advisory_lock(${restoreLock}) as got`;
    if (!lock!.got) throw new RestoreRunning('another process restores a snapshot into this database');
    const state = await inspectTarget(sql, snapshot.sha256);
    if (state === 'in use') {
      throw new TargetInUse('the database holds a chain already: restore into an empty database or data folder');
    }
    const loaded = state === 'resumable' ? await listLoaded(sql) : new Map<string, number>();
    if (state === 'resumable') log(`continuing the restore of the snapshot ${snapshot.name}`);
    if (verify) await assertUndamaged(options, withoutLoaded(snapshot.manifest, loaded));
    if (state === 'empty') await prepareTarget(sql, snapshot);
    const left = withoutLoaded(snapshot.manifest, loaded);
    await loadTables({ url, store, sql, tables: left, loaded, commitBytes, onProgress, signal });
    await completeTarget(sql, snapshot.manifest, log);
  } finally {
    await sql.end({ timeout: 5 });
    await holder.end({ timeout: 5 });
  }
}

/** Throws if this version of the program cannot restore the snapshot. */
function assertRestorable({ name, manifest }: StoredManifest): void {
  const files = readMigrations();
  const unknown = manifest.migrations[files.length];
  if (unknown) {
    throw new UsageError(
      `the snapshot ${name} is newer than this program (it has ${unknown.name}): run the newer program`,
    );
  }
  manifest.migrations.forEach((migration, index) => {
    const file = files[index]!;
    if (file.name !== migration.name || !isChecksumOf(file, migration.checksum)) {
      throw new UsageError(`the snapshot ${name} has another schema than this program: ${migration.name} differs`);
    }
  });
  assertPortable(manifest.tables);
}

async function assertUndamaged({ store, snapshot, onProgress, signal }: RestoreOptions, tables: SnapshotTable[]) {
  const chunks = chunksOf({ tables });
  const total = chunks.reduce((all, chunk) => all + chunk.stored_bytes, 0);
  const report = (done: number) => onProgress?.({ step: 'verifying', done, total, rows: 0 });
  const faults = await verifyChunks({ store, chunks, onProgress: report, signal });
  const [first] = faults;
  if (first !== undefined) {
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
    throw new UsageError(`the snapshot ${snapshot.name} is damaged: ${first}${more}; nothing was written`);
  }
}

/** The tables with the parts that are not loaded yet. */
const withoutLoaded = ({ tables }: Manifest, loaded: Map<string, number>): SnapshotTable[] =>
  tables.map(table => ({ ...table, parts: table.parts.slice(loaded.get(table.name) ?? 0) }));

const bytesOf = (parts: Part[]) => parts.flatMap(part => part.chunks).reduce((all, chunk) => all + chunk.bytes, 0);

type Loading = {
  url: string;
  store: Store;
  sql: Pool;
  /** Tables with the parts that are left. */
  tables: SnapshotTable[];
  loaded: Map<string, number>;
  commitBytes: number;
  onProgress: ((progress: RestoreProgress) => void) | undefined;
  signal: AbortSignal | undefined;
};

/** Fills the tables, the largest first, and builds the indexes of each when it is filled. */
async function loadTables({
  url,
  store,
  sql,
  tables,
  loaded,
  commitBytes,
  onProgress,
  signal,
}: Loading): Promise<void> {
  const total = bytesOf(tables.flatMap(({ parts }) => parts));
  const deferred = await listDeferred(sql);
  const left = tables.toSorted((a, b) => bytesOf(b.parts) - bytesOf(a.parts))[Symbol.iterator]();
  const failed = new AbortController();
  const stop = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
  let done = 0;
  let rows = 0;
  const onBytes = (bytes: number) => {
    done += bytes;
    onProgress?.({ step: 'restoring', done, total, rows });
  };
  const onRows = (count: number) => {
    rows += count;
  };
  const worker = async () => {
    const connection = await CopyConnection.open(url, 'cairn restore');
    stop.addEventListener('abort', () => connection.destroy(), { once: true });
    try {
      await connection.query(`set maintenance_work_mem to '128MB'; set synchronous_commit to off`);
      for (const table of left) {
        stop.throwIfAborted();
        const before = loaded.get(table.name) ?? 0;
        await loadTable({ connection, store, table, before, commitBytes, onBytes, onRows });
        const indexes = deferred.filter(({ table_name }) => table_name === table.name);
        await buildIndexes(connection, table, indexes);
      }
      await connection.end();
    } catch (error) {
      failed.abort(error);
      throw error;
    } finally {
      connection.destroy();
    }
  };
  await Promise.allSettled(Array.from({ length: WORKERS }, () => worker().catch(error => failed.abort(error))));
  stop.throwIfAborted();
}

type TableLoading = {
  connection: CopyConnection;
  store: Store;
  table: SnapshotTable;
  /** Parts that were loaded before. */
  before: number;
  commitBytes: number;
  onBytes: (bytes: number) => void;
  onRows: (rows: number) => void;
};

/** Loads the parts of a table in their order, so that rows stay in the order of the chain. */
async function loadTable({
  connection,
  store,
  table,
  before,
  commitBytes,
  onBytes,
  onRows,
}: TableLoading): Promise<void> {
  let at = 0;
  while (at < table.parts.length) {
    const first = before + at === 0;
    await connection.query('begin');
    if (first) await connection.query(`truncate public.${quote(table.name)}`);
    for (let bytes = 0; at < table.parts.length && (bytes === 0 || bytes < commitBytes); at++) {
      const part = table.parts[at]!;
      onRows(await loadPart(connection, { store, table, part, freeze: first, onBytes }));
      bytes += bytesOf([part]);
    }
    const { text, values } = recordLoaded(table.name, before + at);
    await connection.query(text, values);
    await connection.query('commit');
  }
}

type PartLoading = Pick<TableLoading, 'store' | 'table' | 'onBytes'> & { part: Part; freeze: boolean };

async function loadPart(
  connection: CopyConnection,
  { store, table, part, freeze, onBytes }: PartLoading,
): Promise<number> {
  const columns = table.columns.map(({ name }) => quote(name)).join(', ');
  const options = freeze ? 'format binary, freeze' : 'format binary';
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const chunk of part.chunks) {
      const read = await readChunk(store, chunk);
      yield read;
      onBytes(read.length);
    }
  }
  try {
    const rows = await connection.copyFrom(
      `copy public.${quote(table.name)} (${columns}) from stdin with (${options})`,
      bytes(),
    );
    if (rows !== part.rows) throw new UsageError(`a part of ${table.name} has ${rows} rows instead of ${part.rows}`);
    return rows;
  } catch (error) {
    if (!(error instanceof DamagedChunk)) throw error;
    throw new UsageError(
      `${error.message}: the snapshot is damaged, and the database is not complete; repair the snapshot and run the command again, or use another database`,
      { cause: error },
    );
  }
}

/** Builds the indexes of a filled table and its statistics, which the planner needs. */
async function buildIndexes(connection: CopyConnection, table: SnapshotTable, indexes: DeferredIndex[]): Promise<void> {
  // The statements of one query are one transaction.
  for (const index of indexes) await connection.query(buildText(index));
  if (table.rows > 0) await connection.query(`analyze public.${quote(table.name)}`);
}
