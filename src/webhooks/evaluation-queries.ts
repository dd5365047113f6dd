import type { Pool, Sql } from '../db/client.ts';
import type { Hold } from './delivery-queries.ts';

/** Blocks that wait to be delivered by one hook. */
export const MAX_EVALUATIONS = 1000;

/** Has a block delivered apart from the sequence; false if too many wait. */
export async function addEvaluation(sql: Sql, hook: number, height: number): Promise<boolean> {
  const rows = await sql`
    insert into webhook_evaluations (hook, height)
    select ${hook}::int, ${height}::int
    where (select count(*) from webhook_evaluations v where v.hook = ${hook}) < ${MAX_EVALUATIONS}
    returning id
  `;
  return rows.length > 0;
}

/**
 * Takes the first block that a hook was asked for and stores it as a redelivery; undefined if there is none, or if the hook is not
 * held any more. `positionBefore` is the position before a height; without one, the block is gone.
 */
export async function nextEvaluation(
  pool: Pool,
  { id, term }: Hold,
  positionBefore: (height: number) => Promise<string | undefined>,
): Promise<{ height: number; position: string; number: number } | undefined> {
  const [first] = await pool<{ id: bigint; height: number }[]>`
    select v.id, v.height from webhook_evaluations v where v.hook = ${id} order by v.id limit 1
  `;
  if (!first) return undefined;
  const position = await positionBefore(first.height);
  return await pool.begin(async sql => {
    const [row] = await sql<{ number: number }[]>`
      update webhooks w
      set again_position = ${position ?? null}, again_from = ${first.height}, again_to = ${first.height},
        again_number = w.again_number + 1
      where w.id = ${id} and w.term = ${term}
      returning w.again_number as number
    `;
    if (!row) return undefined;
    await sql`delete from webhook_evaluations v where v.id = ${String(first.id)}::bigint`;
    return position === undefined ? undefined : { height: first.height, position, number: row.number };
  });
}
