import type { Pool, Sql } from '../db/client.ts';
import type { PayloadVersion } from './payload.ts';

export type HookState = 'active' | 'paused' | 'disabled' | 'expired';

/** A hook as operators see it; without its secret. */
export type HookRow = {
  id: number;
  name: string;
  url: string;
  /** What it wants, in the form of its payload. */
  selection: object;
  payload: PayloadVersion;
  batch: number;
  secret_key: Buffer;
  state: HookState;
  reason: string | null;
  position: string;
  height: number;
  tip: number;
  failures: number;
  failing_since: Date | null;
  due: Date;
  last_error: string | null;
  delivered_at: Date | null;
  deliveries: bigint;
  messages: bigint;
  again_from: number | null;
  again_to: number | null;
  created_at: Date;
};

const columns = (sql: Sql) => sql`
  w.id, w.name, w.url, w.selection, w.payload, w.batch, w.secret_key, w.state, w.reason, w.position, w.height,
  coalesce((select f.height from fold_position f), -1) as tip, w.failures, w.failing_since, w.due, w.last_error,
  w.delivered_at, w.deliveries, w.messages, w.again_from, w.again_to, w.created_at
`;

/** All hooks by name. */
export async function listHooks(sql: Sql): Promise<HookRow[]> {
  return await sql<HookRow[]>`select ${columns(sql)} from webhooks w order by w.name`;
}

export async function findHook(sql: Sql, name: string): Promise<HookRow | undefined> {
  const [row] = await sql<HookRow[]>`select ${columns(sql)} from webhooks w where w.name = ${name}`;
  return row;
}

/** The encrypted secret of a hook. */
export async function findSecret(sql: Sql, id: number): Promise<Buffer | undefined> {
  const [row] = await sql<{ secret: Buffer }[]>`select w.secret from webhooks w where w.id = ${id}`;
  return row?.secret;
}

export type NewHookRow = Pick<
  HookRow,
  'name' | 'url' | 'selection' | 'payload' | 'batch' | 'secret_key' | 'position' | 'height'
> & {
  secret: Buffer;
  state?: 'active' | 'paused';
  end_height?: number | null;
  end_occurrences?: number | null;
};

/** Why a hook was not stored. */
export type Refusal = 'name in use' | 'other key' | 'too many';

/** One change of the list of hooks and their secrets at a time. */
export const lockHooks = (sql: Sql) => sql`select pg_advisory_xact_lock(hashtext('webhooks'))`;

/**
 * Stores a hook, unless there are `most` of them, its name is in use, or secrets of others are encrypted with another key. What
 * belongs to it is stored with it.
 */
export async function insertHook(
  pool: Pool,
  hook: NewHookRow,
  most: number,
  insertMore?: (sql: Sql, id: number) => Promise<void>,
): Promise<Refusal | undefined> {
  const { name, url, selection, payload, batch, secret, secret_key, position, height } = hook;
  const { state = 'active', end_height = null, end_occurrences = null } = hook;
  return await pool.begin(async sql => {
    await lockHooks(sql);
    const [found] = await sql<{ count: number; named: boolean; other: boolean }[]>`
      select count(*)::int as count, coalesce(bool_or(w.name = ${name}), false) as named,
        coalesce(bool_or(w.secret_key <> ${secret_key}), false) as other
      from webhooks w
    `;
    if (found!.named) return 'name in use';
    if (found!.other) return 'other key';
    if (found!.count >= most) return 'too many';
    const [row] = await sql<{ id: number }[]>`
      insert into webhooks (name, url, selection, payload, batch, secret, secret_key, position, height, state, end_height, end_occurrences)
      values (${name}, ${url}, ${JSON.stringify(selection)}::text::json, ${payload}, ${batch}, ${secret}, ${secret_key},
        ${position}, ${height}, ${state}, ${end_height}::int, ${end_occurrences}::bigint)
      returning id
    `;
    await insertMore?.(sql, row!.id);
    return undefined;
  });
}

/** What a change by an operator does to a sender: it has to begin again with the row as it is now. */
export const takeFromSender = (sql: Sql) => sql`term = term + 1, lease = null, lease_until = null`;

/** Stops a hook; false if there is none with this name. */
export async function pauseHook(sql: Sql, name: string): Promise<boolean> {
  const rows = await sql`
    update webhooks
    set state = 'paused', reason = null, failures = 0, failing_since = null, ${takeFromSender(sql)}
    where name = ${name}
    returning id
  `;
  return rows.length > 0;
}

export type NewStart = { position: string; height: number };

/** Lets a hook go on from where it stood, or from another position; false if there is none with this name. */
export async function resumeHook(sql: Sql, name: string, start: NewStart | undefined): Promise<boolean> {
  const rows = await sql`
    update webhooks
    set state = 'active', reason = null, failures = 0, failing_since = null, due = now(),
      position = coalesce(${start?.position ?? null}::text, position), height = coalesce(${start?.height ?? null}::int, height),
      attempt_until = case when ${start === undefined} then attempt_until end,
      undo = case when ${start === undefined} then undo end,
      ${takeFromSender(sql)}
    where name = ${name}
    returning id
  `;
  return rows.length > 0;
}

export async function deleteHook(sql: Sql, name: string): Promise<boolean> {
  return (await sql`delete from webhooks where name = ${name} returning id`).length > 0;
}

export type Redelivery = { position: string; from: number; to: number };

/** Requests the blocks of a range once more; false if the hook is gone or another redelivery is in progress. */
export async function requestRedelivery(sql: Sql, name: string, { position, from, to }: Redelivery): Promise<boolean> {
  const rows = await sql`
    update webhooks
    set again_position = ${position}, again_from = ${from}, again_to = ${to}, again_number = again_number + 1, ${takeFromSender(sql)}
    where name = ${name} and again_position is null
    returning id
  `;
  return rows.length > 0;
}
