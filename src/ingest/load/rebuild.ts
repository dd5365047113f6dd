import { statfs } from 'node:fs/promises';
import type { Network } from '@cairn-stacks/codec/network';
import { journalChannel } from '../../chain/journal.ts';
import { connect, type Pool, type Tx } from '../../db/client.ts';
import { isLockRefused } from '../../db/database-error.ts';
import { migrate } from '../../db/migrate.ts';
import { UsageError } from '../../errors.ts';
import { Fold } from '../fold/fold.ts';
import type { FoldLog } from '../fold/fold-log.ts';
import { finishBulkLoad } from './bulk-load.ts';

/** Tables that a rebuild retains: the log and its parts, what others said beside it, API keys, webhooks and publishers. All others are rebuilt from the log. */
const preservedTables = [
  'bitcoin_jobs',
  'bitcoin_outputs',
  'bitcoin_positions',
  'block_headers',
  'chain_identity',
  'event_log',
  'event_log_head',
  'event_paths',
  'event_quarantine',
  'event_skips',
  'event_sources',
  'migrations',
  'prune_runs',
  'publishers',
  'api_keys',
  'chainhook_consumers',
  'chainhooks',
  'replay_files',
  'token_contracts',
  'token_discovery',
  'token_jobs',
  'token_locales',
  'token_notices',
  'tokens',
  'webhook_blocks',
  'webhook_deliveries',
  'webhook_evaluations',
  'webhooks',
];

const next = 'cairn_rebuild';
const retired = 'cairn_retired';
const pollMs = 200;
/** Session lock that only one rebuild of a database holds, and that snapshots share: "rebui" as a number. */
export const rebuildLock = 0x7265627569n;

export type RebuildOptions = {
  url: string;
  network: Network;
  log: FoldLog;
  onProgress?: (progress: { folded: bigint; head: bigint }) => void;
  signal?: AbortSignal;
};

/** The size of the tables now: a rebuild needs about as much in addition. */
export async function rebuildBytes(sql: Pool): Promise<bigint> {
  const [row] = await sql<{ bytes: bigint }[]>`
    select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all (${preservedTables})
  `;
  return row!.bytes;
}

/** Bytes free where a folder is. */
export async function freeBytes(folder: string): Promise<bigint> {
  const { bavail, bsize } = await statfs(folder, { bigint: true });
  return bavail * bsize;
}

/**
 * Rebuilds every table from the log in a second schema, and swaps the schemas when both are at the same event. Ingest and API
 * go on meanwhile. An interrupted rebuild leaves the tables in use unchanged.
 */
export async function rebuild(options: RebuildOptions): Promise<void> {
  const holder = connect(options.url, { max: 1, name: 'cairn rebuild lock' });
  try {
    const [lock] = await holder<{ got: boolean }[]>`select pg_try_advisory_lock(${rebuildLock}) as got`;
    if (!lock!.got) {
      throw new UsageError(
        'another rebuild or a snapshot of this database is running: wait until it has ended, or stop it first',
      );
    }
    await rebuildAlone(options);
  } finally {
    await holder.end({ timeout: 5 });
  }
}

async function rebuildAlone(options: RebuildOptions): Promise<void> {
  const { url, network, log, signal } = options;
  const sql = connect(url, { max: 2, name: 'cairn rebuild' });
  try {
    const [log0] = await sql<{ pruned_to: bigint }[]>`select pruned_to from event_log_head`;
    if (log0!.pruned_to > 0n) {
      throw new UsageError(
        'the log was pruned, so the tables cannot be rebuilt from it: replay the exported files into another database',
      );
    }
    // One that was killed leaves its own tables, or those that it had just replaced.
    for (const schema of [next, retired]) await sql`drop schema if exists ${sql(schema)} cascade`;
    await migrate(url, { schema: next });
    for (const table of preservedTables) await sql`drop table if exists ${sql(next)}.${sql(table)} cascade`;
    await foldUntilCaughtUp(sql, { ...options, bulk: true });
    if (signal?.aborted) return;
    const second = connect(url, { max: 3, name: 'cairn rebuild', schemas: [next, 'public'] });
    if (!(await finishBulkLoad(second, log, signal).finally(() => second.end()))) return;
    // Without a running service, this fold brings the tables in use to the same event; with one, it only waits.
    const folds = [new Fold({ url, network, log, schema: next }), new Fold({ url, network, log })];
    for (const fold of folds) fold.start();
    try {
      while (!signal?.aborted && !(await swapped(sql))) await pause();
    } finally {
      await Promise.all(folds.map(fold => fold.stop()));
    }
    await sql`drop schema if exists ${sql(retired)} cascade`;
  } finally {
    await sql`drop schema if exists ${sql(next)} cascade`;
    await sql.end({ timeout: 5 });
  }
}

async function foldUntilCaughtUp(sql: Pool, options: RebuildOptions & { bulk: boolean }): Promise<void> {
  const { url, network, log, bulk, signal, onProgress } = options;
  const fold = new Fold({ url, network, log, schema: next, bulk });
  fold.start();
  try {
    while (!signal?.aborted) {
      const [row] = await sql<{ folded: bigint; used: bigint; halted: string | null }[]>`
        select n.event_id as folded, p.event_id as used, n.halt_reason as halted
        from ${sql(next)}.fold_position n, public.fold_position p
      `;
      if (row!.halted !== null) throw new Error(`the rebuild stopped: ${row!.halted}`);
      onProgress?.({ folded: row!.folded, head: row!.used });
      if (row!.folded >= row!.used) return;
      await pause();
    }
  } finally {
    await fold.stop();
  }
}

type Standing = { event_id: bigint; halted_at: bigint | null; halt_reason: string | null };

/** Fails where one of the two folds has stopped at an event that the other is past: they would never meet. */
function assertNotHalted(used: Standing, made: Standing): void {
  const skip = (id: bigint) => `cairn skip ${id} --reason "…"`;
  if (made.halted_at !== null && made.halted_at !== used.halted_at && used.event_id >= made.halted_at) {
    throw new Error(
      `the rebuild stopped at event ${made.halted_at}, which the tables in use are past: ${made.halt_reason}; ` +
        `fix the cause, or skip it with: ${skip(made.halted_at)}; then rebuild again`,
    );
  }
  if (used.halted_at !== null && made.event_id > used.event_id) {
    throw new Error(
      `the tables in use have stopped at event ${used.halted_at}, which the rebuild is past: ${used.halt_reason}; ` +
        `skip it with: ${skip(used.halted_at)}; then rebuild again to include it`,
    );
  }
}

/** Swaps the tables if both are at the same event; the lock on the position row stops the fold in use meanwhile. */
async function swapped(sql: Pool): Promise<boolean> {
  try {
    return await sql.begin(async tx => {
      await tx`set local lock_timeout = '2s'`;
      const [used] = await tx<(Standing & { journal_seq: bigint; writer: bigint; generation: number })[]>`
        select p.event_id, p.halted_at, p.halt_reason, p.journal_seq, p.writer, p.generation
        from public.fold_position p
        for update
      `;
      const [made] = await tx<Standing[]>`
        select p.event_id, p.halted_at, p.halt_reason from ${tx(next)}.fold_position p for update
      `;
      assertNotHalted(used!, made!);
      if (made!.event_id !== used!.event_id) return false;
      if (made!.halted_at !== null && made!.halted_at !== used!.halted_at) return false;
      // Clients have seen the journal, so its numbers continue. The old writer is fenced off by the new token.
      await tx`truncate ${tx(next)}.journal`;
      await tx`insert into ${tx(next)}.journal select * from public.journal`;
      await tx`
        update ${tx(next)}.fold_position
        set journal_seq = ${String(used!.journal_seq)}::bigint, writer = ${String(used!.writer + 2n)}::bigint,
          generation = ${used!.generation + 1}
      `;
      await tx`create schema ${tx(retired)}`;
      await moveTables(tx, 'public', retired);
      await moveTables(tx, next, 'public');
      await tx`select pg_notify(${journalChannel}, ${String(used!.journal_seq)})`;
      return true;
    });
  } catch (error) {
    if (isLockRefused(error)) return false; // The caller tries again.
    throw error;
  }
}

async function moveTables(tx: Tx, from: string, to: string): Promise<void> {
  const tables = await tx<{ name: string }[]>`
    select c.relname as name
    from pg_class c
    where c.relnamespace = ${from}::regnamespace and c.relkind = 'r' and c.relname <> all (${preservedTables})
    order by c.relname
  `;
  for (const { name } of tables) await tx`alter table ${tx(from)}.${tx(name)} set schema ${tx(to)}`;
}

const pause = () => new Promise(resolve => setTimeout(resolve, pollMs));
