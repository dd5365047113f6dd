import type { Sql } from '../../db/client.ts';

/** The served tip and the best block that the fold has seen. */
export type BestBlock = {
  tipHeight: number;
  tipIndexHash: Buffer;
  /** The block to which the tables should move; null if the tip is the best. */
  best: { height: number; indexHash: Buffer } | null;
  /** The first event of the log that is not in the tables; null if all are. */
  nextEvent: number | null;
  /** Why the fold failed last; null once it works again. */
  failure: string | null;
};

type Row = {
  tip_height: number;
  tip_index_hash: Buffer;
  best_height: number | null;
  best_index_hash: Buffer | null;
  next_event: bigint | null;
  failure: string | null;
};

/** Compares the tip with the tree of blocks, by the rule of the fork choice: the greatest height that Bitcoin does not rule out. */
export async function findBestBlock(sql: Sql): Promise<BestBlock> {
  const [row] = await sql<Row[]>`
    select
      p.height as tip_height,
      p.index_hash as tip_index_hash,
      best.height as best_height,
      best.index_hash as best_index_hash,
      case when p.event_id < head.last_id then p.event_id + 1 end as next_event,
      case when p.halted_at is null then p.halt_reason end as failure
    from fold_position p
    cross join event_log_head head
    left join block_tree tip on tip.index_hash = p.index_hash
    left join lateral (
      select t.height, t.index_hash
      from block_tree t
      where not t.parked and not t.ruled_out
        and t.height > case when tip.ruled_out then 0 else greatest(p.height, 0) end
      order by t.height desc, t.event_id
      limit 1
    ) best on p.height >= 1
  `;
  if (!row) throw new Error('the row of fold_position is missing: the database was not set up by Cairn');
  return {
    tipHeight: row.tip_height,
    tipIndexHash: row.tip_index_hash,
    best: row.best_height === null ? null : { height: row.best_height, indexHash: row.best_index_hash! },
    nextEvent: row.next_event === null ? null : Number(row.next_event),
    failure: row.failure,
  };
}
