import type { Pool, Sql } from '../../db/client.ts';
import { badRequest } from '../../errors.ts';
import type { ReadCaches } from '../read-caches.ts';
import { renderEventList } from './event-list-view.ts';
import { renderEvent } from './event-schema.ts';
import {
  type EventPage,
  hasLongHistory,
  listEventsFrom,
  listEventsOfPrincipal,
  listEventsOfTransaction,
} from './pages-queries.ts';
import { eventCursors, renderTransactionEvent } from './transaction-event-schema.ts';

/** The events of a principal are found by walking: a page at a larger offset would take unbounded work. */
const MAX_OFFSET = 10_000;

/** Events of some kinds of one transaction, in their order. */
export async function listTransactionEvents(sql: Sql, txId: Uint8Array, page: EventPage) {
  const rows = await listEventsOfTransaction(sql, txId, page);
  return { limit: page.limit, offset: page.offset, events: rows.map(renderEvent) };
}

/** Events of some kinds that touched a principal, newest first. */
export async function listPrincipalEvents(
  caches: ReadCaches,
  sql: Pool,
  principal: Uint8Array,
  page: EventPage,
  address: string,
) {
  const { limit, offset } = page;
  if (offset > MAX_OFFSET && (await hasLongHistory(sql, principal))) {
    throw badRequest(
      `offset ${offset} is too large for this list, whose maximum is ${MAX_OFFSET}: ` +
        `go through /extended/v3/principals/${address}/transactions by its cursor`,
    );
  }
  const listed = await listEventsOfPrincipal(sql, principal, page);
  return { limit, offset, events: await renderEventList(caches, sql, listed) };
}

/** Events of a confirmed transaction from an index on. */
export async function listEventsOfTransactionFrom(
  sql: Sql,
  txId: Uint8Array,
  { from, limit }: { from: number; limit: number },
) {
  const events = await listEventsFrom(sql, txId, { from, limit });
  // Clients know this one as an invalid request.
  if (!events) throw badRequest('Transaction not found');
  const { total, rows, height } = events;
  const results = rows.slice(0, limit).map(renderTransactionEvent);
  return { body: { total, limit, cursor: eventCursors(rows, limit), results }, height };
}
