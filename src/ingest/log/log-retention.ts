import type { Pool, Sql } from '../../db/client.ts';

/**
 * The last event below a finality depth: the one that brought the canonical block so many blocks under the tip. Where that one
 * came late, it is the last before the events of the blocks above.
 */
export async function prunableTo(sql: Sql, keepBlocks: number): Promise<bigint | undefined> {
  const [row] = await sql<{ event_id: bigint; pruned_to: bigint }[]>`
    select
      least(t.event_id, (select min(k.event_id) - 1 from block_tree k where k.height > p.height - ${keepBlocks}))
        as event_id,
      h.pruned_to
    from fold_position p
    cross join event_log_head h
    join blocks b on b.height = p.height - ${keepBlocks}
    join block_tree t on t.index_hash = b.index_hash
  `;
  return row && row.event_id > row.pruned_to ? row.event_id : undefined;
}

const chunk = 2_000;

/**
 * SQL condition for events that responses still need, whatever their age: block 0, blocks and microblocks that are not part of
 * the canonical chain, and events that could not be read. `id` is the column with the id of the event.
 */
export const stillNeeded = (id: string) => `(
  exists (select 1 from event_quarantine q where q.event_id = ${id})
  or exists (
    select 1
    from block_tree t
    where t.event_id = ${id}
      and not exists (select 1 from blocks b where b.height = t.height and b.index_hash = t.index_hash)
  )
  or exists (
    select 1
    from microblock_streams s
    where s.event_id = ${id}
      and not exists (
        select 1 from microblocks m
        where substring(m.hash from 1 for 8) = substring(s.hash from 1 for 8) and m.hash = s.hash
      )
  )
)`;

/** Removes events up to an id from the log, after the caller has them in a file. It retains those that responses still need. */
export async function pruneLog(sql: Pool, to: bigint, onProgress?: (removed: number) => void): Promise<number> {
  let removed = 0;
  const [head] = await sql<{ pruned_to: bigint }[]>`select pruned_to from event_log_head`;
  for (let from = head!.pruned_to; from < to; from += BigInt(chunk)) {
    const end = from + BigInt(chunk) < to ? from + BigInt(chunk) : to;
    const { count } = await sql.begin(async tx => {
      const result = await tx`
        delete from event_log l
        where l.id > ${String(from)}::bigint and l.id <= ${String(end)}::bigint
          and not ${tx.unsafe(stillNeeded('l.id'))}
      `;
      await tx`update event_log_head set pruned_to = ${String(end)}::bigint`;
      return result;
    });
    removed += count;
    onProgress?.(removed);
  }
  await sql`vacuum event_log`;
  return removed;
}
