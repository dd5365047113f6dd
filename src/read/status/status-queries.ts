import type { Sql } from '../../db/client.ts';
import { findIncompleteBlocks, type IncompleteBlocks } from '../blocks/incomplete-blocks-queries.ts';

/** How far the fold is behind the log, and whether it goes on. */
export type IngestStatus = {
  /** Last event of the log. */
  logged: number;
  /** Last event of the tables. */
  folded: number;
  /** Seconds since the oldest event that waits was received; 0 when none waits. */
  lagSeconds: number;
  /** Blocks whose parent is unknown. */
  parked: number;
  /** Blocks of which something is unknown. */
  incomplete: IncompleteBlocks;
  /** Events that are stored but cannot be read or placed. */
  quarantined: number;
  lastQuarantined: { eventId: number; at: Date; reason: string } | null;
  /** Blocks whose index hash does not follow from their block and consensus hash. */
  indexHashMismatches: number;
  /** Events that the fold skipped as requested by the operator. */
  skipped: number;
  /** The event at which the fold stopped. */
  haltedAt: number | null;
  haltReason: string | null;
  /** The chain of this database does not start at its genesis. */
  rootMidChain: boolean;
  /** Bitcoin has replaced the burn block of the tip or of an ancestor, and no better block is known. */
  tipRuledOut: boolean;
  height: number;
  lastReceived: Date | null;
  /** What nodes sent and this program does not know, the newest first. */
  unknown: { kind: string; name: string; events: number; last_event: number }[];
};

type StatusRow = {
  logged: bigint;
  folded: bigint;
  lag_seconds: number;
  parked: bigint;
  quarantined: bigint;
  quarantined_event: bigint | null;
  quarantined_at: Date | null;
  quarantined_reason: string | null;
  index_hash_mismatches: bigint;
  skipped: bigint;
  halted_at: bigint | null;
  halt_reason: string | null;
  root_mid_chain: boolean;
  tip_ruled_out: boolean;
  height: number;
  last_received: Date | null;
  unknown: IngestStatus['unknown'] | null;
};

/** Larger numbers are not counted exactly. */
const MAX_COUNTED = 10_000;

/** Reads the state of ingest; a few index seeks, cheap enough for every health check. */
export async function findIngestStatus(sql: Sql): Promise<IngestStatus> {
  const [row] = await sql<StatusRow[]>`
    select
      h.last_id as logged,
      p.event_id as folded,
      coalesce(
        (
          select extract(epoch from now() - e.at)::float8
          from event_log e
          where e.id > p.event_id
          order by e.id
          limit 1
        ),
        0
      ) as lag_seconds,
      (select count(*) from block_tree t where t.parked) as parked,
      (select count(*) from event_quarantine q) as quarantined,
      last.event_id as quarantined_event,
      last.at as quarantined_at,
      last.reason as quarantined_reason,
      (
        select count(*)
        from (select 1 from index_hash_mismatches m limit ${MAX_COUNTED}) m
      ) as index_hash_mismatches,
      (select count(*) from event_skips s) as skipped,
      p.halted_at,
      -- Without a halt it is the reason of a failure that is tried again.
      case when p.halted_at is not null then p.halt_reason end as halt_reason,
      p.root_mid_chain,
      exists (select 1 from block_tree t where t.index_hash = p.index_hash and t.ruled_out) as tip_ruled_out,
      p.height,
      (select e.at from event_log e order by e.id desc limit 1) as last_received,
      (
        select json_agg(u order by u.last_event desc, u.kind, u.name)
        from (
          select i.kind, i.name, i.events, i.last_event
          from unknown_items i
          order by i.last_event desc, i.kind, i.name
          limit 100
        ) u
      ) as unknown
    from fold_position p
    cross join event_log_head h
    left join (
      select q.event_id, q.at, q.reason
      from event_quarantine q
      order by q.event_id desc
      limit 1
    ) last on true
  `;
  if (!row) throw new Error('the row of fold_position is missing: the database was not set up by Cairn');
  const incomplete = await findIncompleteBlocks(sql);
  return {
    logged: Number(row.logged),
    folded: Number(row.folded),
    lagSeconds: Math.max(0, row.lag_seconds),
    parked: Number(row.parked),
    incomplete,
    quarantined: Number(row.quarantined),
    lastQuarantined:
      row.quarantined_event === null
        ? null
        : { eventId: Number(row.quarantined_event), at: row.quarantined_at!, reason: row.quarantined_reason! },
    indexHashMismatches: Number(row.index_hash_mismatches),
    skipped: Number(row.skipped),
    haltedAt: row.halted_at === null ? null : Number(row.halted_at),
    haltReason: row.halt_reason,
    rootMidChain: row.root_mid_chain,
    tipRuledOut: row.tip_ruled_out,
    height: row.height,
    lastReceived: row.last_received,
    unknown: row.unknown ?? [],
  };
}

/** Makes the fold skip one event; false if the log has no such event. */
export async function skipEvent(sql: Sql, eventId: bigint, reason: string): Promise<boolean> {
  const rows = await sql`
    insert into event_skips (event_id, reason)
    select e.id, ${reason}
    from event_log e
    where e.id = ${eventId}
    on conflict (event_id) do update set reason = excluded.reason
    returning event_id
  `;
  return rows.length > 0;
}
