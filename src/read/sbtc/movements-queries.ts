import type { Sql } from '../../db/client.ts';
import { type EventPageRequest, listEventPositions } from '../events/positions-queries.ts';

/** Deposits to a principal and withdrawals that it requested, the newest first. */
export async function listMovements(sql: Sql, registry: number, principal: Uint8Array, page: EventPageRequest) {
  const where = sql`
    k.principal = (select q.id from principals q where q.name = ${principal}) and k.registry = ${registry}::int2
  `;
  const total = sql`
    select count(*)
    from sbtc_movements k
    where ${where} and k.height <= (select f.height from fold_position f)
  `;
  const list = { table: 'sbtc_movements', where, total };
  return await listEventPositions<object>(sql, list, page, {
    columns: sql`true as listed`,
    joins: sql``,
    events: sql``,
  });
}
