import type { Sql } from '../db/client.ts';
import type { Attempted } from './batch-reader.ts';
import type { HookState } from './hook-queries.ts';

/** The right to write about a hook: a sender that has lost it finds no row. */
export type Hold = { id: number; term: bigint };

export type DeliveryKind = 'batch' | 'redelivery' | 'test';

/** A line of the log of deliveries. */
export type Delivery = {
  kind: DeliveryKind;
  message: string;
  attempt: number;
  messages: number;
  first_height: number | null;
  last_height: number | null;
  status: number | null;
  error: string | null;
  duration_ms: number;
};

export type DeliveryRow = Delivery & { id: bigint; at: Date };

/** Lines of the log that are kept of a hook. */
export const KEPT_DELIVERIES = 1000;

/**
 * Notes a request before it is sent: after a crash nobody else knows that it may have arrived. Returns when it was noted first;
 * undefined if the hook is not held any more.
 */
export async function beginAttempt(
  sql: Sql,
  { id, term }: Hold,
  { until, undo }: Attempted,
): Promise<Date | undefined> {
  const [row] = await sql<{ at: Date }[]>`
    update webhooks w
    set attempt_at = case when w.attempt_until = ${until ?? null} then w.attempt_at else now() end,
      attempt_until = ${until ?? null}, undo = ${undo ?? null}
    where w.id = ${id} and w.term = ${term}
    returning w.attempt_at as at
  `;
  return row?.at;
}

/** Whether the hook is still held. */
export async function isHeld(sql: Sql, { id, term }: Hold): Promise<boolean> {
  return (await sql`select from webhooks w where w.id = ${id} and w.term = ${term}`).length > 0;
}

const insertDelivery = (sql: Sql, delivery: Delivery) => sql`
  insert into webhook_deliveries (hook, kind, message, attempt, messages, first_height, last_height, status, error, duration_ms)
  select m.id, ${delivery.kind}::text, ${delivery.message}::text, ${delivery.attempt}::int, ${delivery.messages}::int,
    ${delivery.first_height}::int, ${delivery.last_height}::int, ${delivery.status}::int, ${delivery.error}::text,
    ${delivery.duration_ms}::int
  from moved m
  returning id
`;

export type Progress = { position: string; height: number };

/** Stores that a batch was delivered; false if the hook is not held any more. */
export async function recordSuccess(sql: Sql, hold: Hold, progress: Progress, delivery: Delivery): Promise<boolean> {
  const rows = await sql`
    with moved as (
      update webhooks w
      set position = ${progress.position}, height = ${progress.height}, attempt_until = null, undo = null,
        evaluated = w.evaluated + greatest(0, ${progress.height}::int - w.height), evaluated_at = now(),
        ${occurred(sql, delivery)},
        ${recovered(sql, delivery)}
      where w.id = ${hold.id} and w.term = ${hold.term}
      returning w.id
    )
    ${insertDelivery(sql, delivery)}
  `;
  return rows.length > 0;
}

/** Stores that a batch was delivered again, and how far the redelivery is; false if the hook is not held any more. */
export async function recordAgain(sql: Sql, hold: Hold, position: string, delivery: Delivery): Promise<boolean> {
  const rows = await sql`
    with moved as (
      update webhooks w
      set again_position = ${position}, ${recovered(sql, delivery)}
      where w.id = ${hold.id} and w.term = ${hold.term}
      returning w.id
    )
    ${insertDelivery(sql, delivery)}
  `;
  return rows.length > 0;
}

/** A request with blocks has arrived; the hook may have waited for no further one. */
const occurred = (sql: Sql, { last_height: last }: Delivery) => sql`
  occurrences = w.occurrences + ${last === null ? 0 : 1}, occurred_height = coalesce(${last}::int, w.occurred_height),
  occurred_at = case when ${last === null} then w.occurred_at else now() end,
  state = case when w.occurrences + ${last === null ? 0 : 1} >= w.end_occurrences then 'expired' else w.state end,
  reason = case
    when w.occurrences + ${last === null ? 0 : 1} >= w.end_occurrences
    then 'it was to end after ' || w.end_occurrences || ' deliveries'
    else w.reason
  end
`;

const recovered = (sql: Sql, { messages }: Delivery) => sql`
  deliveries = w.deliveries + 1, messages = w.messages + ${messages}, delivered_at = now(), failures = 0,
  failing_since = null, due = now(), last_error = null
`;

/** What a failure does to the hook; `active` leaves its state as it is. */
export type Setback = { state: HookState; reason: string | null; delayMs: number };

/** Stores that an attempt failed; false if the hook is not held any more. */
export async function recordFailure(sql: Sql, hold: Hold, setback: Setback, delivery: Delivery): Promise<boolean> {
  const rows = await sql`
    with moved as (
      update webhooks w
      set failures = w.failures + 1, failing_since = coalesce(w.failing_since, now()), last_error = ${delivery.error},
        due = now() + ${setback.delayMs} * interval '1 ms', reason = ${setback.reason},
        state = case when ${setback.state}::text = 'active' then w.state else ${setback.state}::text end
      where w.id = ${hold.id} and w.term = ${hold.term}
      returning w.id
    )
    ${insertDelivery(sql, delivery)}
  `;
  return rows.length > 0;
}

/** Logs a request that is no part of the sequence, such as a test. */
export async function logDelivery(sql: Sql, id: number, delivery: Delivery): Promise<void> {
  await sql`
    with moved as (select w.id from webhooks w where w.id = ${id})
    ${insertDelivery(sql, delivery)}
  `;
}

/** Stops a hook for a reason that no attempt has shown. */
export async function stopHook(sql: Sql, { id, term }: Hold, reason: string): Promise<void> {
  await sql`
    update webhooks
    set state = 'paused', reason = ${reason}, last_error = ${reason}
    where id = ${id} and term = ${term}
  `;
}

/** The hook has sent what it was to send. */
export async function expireHook(sql: Sql, { id, term }: Hold, reason: string): Promise<void> {
  await sql`update webhooks set state = 'expired', reason = ${reason} where id = ${id} and term = ${term}`;
}

/** The redelivery has sent its last block. */
export async function endRedelivery(sql: Sql, { id, term }: Hold): Promise<void> {
  await sql`
    update webhooks
    set again_position = null, again_from = null, again_to = null
    where id = ${id} and term = ${term}
  `;
}

/** Removes lines of the log beyond those that are kept. */
export async function trimDeliveries(sql: Sql, hook: number): Promise<void> {
  await sql`
    delete from webhook_deliveries d
    where d.hook = ${hook} and d.id <= (
      select o.id from webhook_deliveries o where o.hook = ${hook} order by o.id desc offset ${KEPT_DELIVERIES} limit 1
    )
  `;
}

/** The newest lines of the log of a hook, before one of them. */
export async function listDeliveries(sql: Sql, hook: number, limit: number, before?: bigint): Promise<DeliveryRow[]> {
  return await sql<DeliveryRow[]>`
    select d.id, d.kind, d.message, d.attempt, d.messages, d.first_height, d.last_height, d.status, d.error, d.duration_ms, d.at
    from webhook_deliveries d
    where d.hook = ${hook} and (${before === undefined} or d.id < ${String(before ?? 0)}::bigint)
    order by d.id desc
    limit ${limit}
  `;
}
