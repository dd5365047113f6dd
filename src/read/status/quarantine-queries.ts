import type { Sql } from '../../db/client.ts';

/** An event that is stored but cannot be read or placed. */
export type QuarantinedEvent = {
  event_id: bigint;
  at: Date;
  path: string | null;
  source: string | null;
  size: number | null;
  reason: string;
};

/** Newest first; events that were pruned from the log have no path, source and size. */
export async function listQuarantined(sql: Sql, limit: number): Promise<QuarantinedEvent[]> {
  return await sql<QuarantinedEvent[]>`
    select q.event_id, q.at, p.path, s.source, e.size, q.reason
    from event_quarantine q
    left join event_log e on e.id = q.event_id
    left join event_paths p on p.id = e.path
    left join event_sources s on s.id = e.source
    order by q.event_id desc
    limit ${limit}
  `;
}

export async function isQuarantined(sql: Sql, eventId: bigint): Promise<boolean> {
  const rows = await sql`select 1 from event_quarantine q where q.event_id = ${String(eventId)}::bigint`;
  return rows.length > 0;
}
