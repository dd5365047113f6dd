import type { Pool, Sql } from '../../db/client.ts';

/** Events that were removed from the log after they had been written to files. */
export type PrunedEvents = {
  /** How many events of the range are not in the log. */
  missing: number;
  /** The last event that may be missing: the log is complete after it. */
  upTo: bigint;
  files: { from: bigint; to: bigint; file: string; at: Date }[];
};

/** Notes that a file holds these events, before they are removed from the log. */
export async function recordPruneRun(sql: Sql, run: { from: bigint; to: bigint; file: string }): Promise<void> {
  await sql`
    insert into prune_runs (from_id, to_id, file)
    values (${String(run.from)}::bigint, ${String(run.to)}::bigint, ${run.file})
  `;
}

/** The events of a range that pruning has removed; undefined where none is missing. */
export async function findPruned(sql: Pool, range: { from: bigint; to: bigint }): Promise<PrunedEvents | undefined> {
  const [log] = await sql<{ up_to: bigint; present: number; runs: boolean }[]>`
    select
      least(h.pruned_to, ${String(range.to)}::bigint) as up_to,
      (
        select count(*)::int
        from event_log l
        where l.id >= ${String(range.from)}::bigint and l.id <= least(h.pruned_to, ${String(range.to)}::bigint)
      ) as present,
      to_regclass('prune_runs') is not null as runs
    from event_log_head h
  `;
  if (!log || log.up_to < range.from) return undefined;
  const missing = Number(log.up_to - range.from) + 1 - log.present;
  if (missing === 0) return undefined;
  // A database that an earlier version has pruned does not know its files until this version has started on it.
  const files = log.runs ? await listRuns(sql, range.from, log.up_to) : [];
  return { missing, upTo: log.up_to, files };
}

function listRuns(sql: Sql, from: bigint, to: bigint) {
  return sql<PrunedEvents['files']>`
    select r.from_id as from, r.to_id as to, r.file, r.at
    from prune_runs r
    where r.to_id >= ${String(from)}::bigint and r.from_id <= ${String(to)}::bigint
    order by r.from_id
  `;
}
