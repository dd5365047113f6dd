import { journalKinds } from '../../chain/journal.ts';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';

/** A block that joined the chain or left it. */
export type BlockEvent = { sequence: number; added: boolean; height: number; hash: Buffer; index_hash: Buffer };

type StepRow = { seq: bigint; kind: number; last: number; events: number; index_hash: Buffer; tip: Buffer | null };

/** The kinds that the partial index has. */
const blockKinds = (sql: Sql) => constant(sql, journalKinds.apply, journalKinds.rollback);

/** How many there have been. */
export async function countBlockEvents(sql: Sql): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select j.block_events::float8 as total
    from journal j
    where j.kind in (${blockKinds(sql)})
    order by j.block_events desc, j.seq desc
    limit 1
  `;
  return row?.total ?? 0;
}

/** Events by their number from `offset` on, oldest first. */
export async function listBlockEvents(sql: Sql, offset: number, limit: number): Promise<BlockEvent[]> {
  const steps = await sql<StepRow[]>`
    select
      j.seq,
      j.kind,
      j.block_events::float8 - 1 as last,
      (j.block_events - coalesce(before.block_events, 0))::float8 as events,
      j.index_hash,
      before.index_hash as tip
    from journal j
    left join lateral (
      select b.block_events, b.index_hash
      from journal b
      where b.kind in (${blockKinds(sql)})
        and (b.block_events, b.seq) < (j.block_events, j.seq)
      order by b.block_events desc, b.seq desc
      limit 1
    ) before on true
    where j.kind in (${blockKinds(sql)}) and j.block_events > ${String(offset)}::bigint
    order by j.block_events, j.seq
    limit ${limit}
  `;
  const added = await listTreeBlocks(
    sql,
    steps.filter(step => step.kind === journalKinds.apply).map(step => step.index_hash),
  );
  const events: BlockEvent[] = [];
  for (const step of steps) {
    if (events.length >= limit) break;
    if (step.kind === journalKinds.apply) {
      const block = added.get(step.index_hash.toString('hex'));
      if (block) events.push({ sequence: step.last, added: true, ...block });
    } else if (step.tip) {
      // From the old tip down to where the branches meet.
      const removed = await listAncestors(sql, step.tip, step.events);
      const first = step.last - step.events + 1;
      removed.forEach((block, i) => {
        events.push({ sequence: first + i, added: false, ...block });
      });
    }
  }
  return events.filter(({ sequence }) => sequence >= offset).slice(0, limit);
}

type TreeBlock = { height: number; hash: Buffer; index_hash: Buffer };

async function listTreeBlocks(sql: Sql, indexHashes: Buffer[]): Promise<Map<string, TreeBlock>> {
  const rows = await sql<TreeBlock[]>`
    select t.index_hash, t.height, t.block_hash as hash
    from unnest(${arrayLiteral(indexHashes)}::bytea[]) as w (index_hash)
    join block_tree t on t.index_hash = w.index_hash
  `;
  return new Map(rows.map(row => [row.index_hash.toString('hex'), row]));
}

/** A block and those before it, so many in all. */
async function listAncestors(sql: Sql, tip: Buffer, count: number): Promise<TreeBlock[]> {
  return await sql<TreeBlock[]>`
    with recursive line (n, index_hash) as (
      select 1, ${tip}::bytea
      union all
      select l.n + 1, t.parent
      from line l
      join block_tree t on t.index_hash = l.index_hash
      where l.n < ${count}
    )
    select t.height, t.block_hash as hash, t.index_hash
    from line l
    join block_tree t on t.index_hash = l.index_hash
    order by l.n
  `;
}
