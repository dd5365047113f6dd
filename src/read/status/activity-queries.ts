import { journalKinds } from '../../chain/journal.ts';
import { constant, type Sql } from '../../db/client.ts';

/** A transaction of the fold: what it read from the log and wrote. */
export type BatchRow = { at: Date; events: number; blocks: number; steps: number };

/** A fork: blocks above `height` were removed, up to the tip `from`. */
export type ReorgRow = { at: Date; height: number; from: number | null };

/** Journal rows that are looked through for batches. */
const LOOKED_BACK = 2000;

/** The newest transactions of the fold that changed something, oldest first. */
export async function listBatches(sql: Sql, limit: number): Promise<BatchRow[]> {
  const rows = await sql<BatchRow[]>`
    select b.at, b.blocks, b.steps,
      (b.last_event - coalesce(lag(b.last_event) over (order by b.at), b.first_event - 1))::int as events
    from (
      select j.at, max(j.event_id) as last_event, min(j.event_id) as first_event, count(*)::int as steps,
        (count(*) filter (where j.kind = ${constant(sql, journalKinds.apply)}))::int as blocks
      from (select j.at, j.event_id, j.kind from journal j order by j.seq desc limit ${LOOKED_BACK}) j
      group by j.at
      order by j.at desc
      limit ${limit + 1}
    ) b
    order by b.at
  `;
  // The batch before the first has no predecessor to count from.
  return rows.slice(-limit);
}

/** The newest forks, newest first. */
export async function listReorgs(sql: Sql, limit: number): Promise<ReorgRow[]> {
  return await sql<ReorgRow[]>`
    select j.at, j.height, b.height as from
    from journal j
    left join lateral (
      select p.height
      from journal p
      where p.seq < j.seq
        and p.kind in (${constant(sql, journalKinds.apply)}, ${constant(sql, journalKinds.rollback)})
      order by p.seq desc
      limit 1
    ) b on true
    where j.kind = ${constant(sql, journalKinds.rollback)}
    order by j.seq desc
    limit ${limit}
  `;
}
