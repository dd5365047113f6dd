import type { Sql } from '../../db/client.ts';
import { type EventPageRequest, listEventPositions } from '../events/positions-queries.ts';
import { countedTotal, withBoundedTotal } from './list-total.ts';

/** Deposits to a principal and withdrawals that it requested, the newest first; the total is null where there are very many. */
export async function listMovements(sql: Sql, registry: number, principal: Uint8Array, page: EventPageRequest) {
  const where = sql`
    k.principal = (select q.id from principals q where q.name = ${principal}) and k.registry = ${registry}::int2
  `;
  const total = countedTotal(sql, 'sbtc_movements', where);
  const list = { table: 'sbtc_movements', where, total };
  const found = await listEventPositions<object>(sql, list, page, {
    columns: sql`true as listed`,
    joins: sql``,
    events: sql``,
  });
  return withBoundedTotal(found);
}
