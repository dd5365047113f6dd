import type { Sql } from '../db/client.ts';
import type { PayloadVersion } from './payload.ts';

/** A hook that this process may send for until its lease ends. */
export type HeldHook = {
  id: number;
  term: bigint;
  name: string;
  url: string;
  payload: PayloadVersion;
  selection: object;
  batch: number;
  secret: Buffer;
  /** Of a paused hook only the blocks that its owner asked for are delivered. */
  state: 'active' | 'paused';
  position: string;
  attempt_until: string | null;
  undo: string | null;
  failures: number;
  /** Since when it fails, in milliseconds before now; null if it does not. */
  failing_ms: number | null;
  /** Milliseconds until the next attempt. */
  wait_ms: number;
  deliveries: bigint;
  again_position: string | null;
  again_to: number | null;
  again_number: number;
  occurrences: bigint;
  end_height: number | null;
  end_occurrences: bigint | null;
};

/** Whether hook `w` has something to send: it is active, or its owner has stopped it and asks for single blocks. */
const hasWork = (sql: Sql) => sql`
  (w.state = 'active' or (w.state = 'paused' and w.reason is null and (
    exists (select from webhook_evaluations v where v.hook = w.id)
    or (w.payload <> '1' and w.again_position is not null)
  )))
`;

/** Takes hooks that have something to send, that nobody sends for and whose secrets are encrypted with this key. */
export async function takeHooks(
  sql: Sql,
  { lease, leaseMs, key, limit }: { lease: string; leaseMs: number; key: Buffer; limit: number },
): Promise<HeldHook[]> {
  return await sql<HeldHook[]>`
    with free as (
      select w.id
      from webhooks w
      where ${hasWork(sql)} and w.secret_key = ${key} and (w.lease is null or w.lease_until < now())
      order by w.id
      limit ${limit}
      for update skip locked
    )
    update webhooks w
    set lease = ${lease}, lease_until = now() + ${leaseMs} * interval '1 ms', term = w.term + 1
    from free f
    where w.id = f.id
    returning w.id, w.term, w.name, w.url, w.payload, w.selection, w.batch, w.state, w.secret, w.position, w.attempt_until, w.undo, w.failures,
      (extract(epoch from now() - w.failing_since) * 1000)::float8 as failing_ms,
      greatest(0, extract(epoch from w.due - now()) * 1000)::float8 as wait_ms,
      w.deliveries, w.again_position, w.again_to, w.again_number, w.occurrences, w.end_height, w.end_occurrences
  `;
}

/** How many active hooks have a secret that this key does not open, and nobody sends for. */
export async function countForeign(sql: Sql, key: Buffer | undefined): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count
    from webhooks w
    where w.state = 'active' and w.secret_key is distinct from ${key ?? null}::bytea
      and (w.lease is null or w.lease_until < now())
  `;
  return row!.count;
}

/** How far the sender of a hook is, after so many deliveries. */
export type Standing = { id: number; term: bigint; deliveries: bigint; position: string; height: number };

/** `evaluates`: its owner waits for single blocks. */
type Held = { id: number; term: bigint; evaluates: boolean };

/** The hooks that are still held, by id. */
export async function listHeld(sql: Sql, lease: string): Promise<Held[]> {
  return await sql<Held[]>`
    select w.id, w.term, exists (select from webhook_evaluations v where v.hook = w.id) as evaluates
    from webhooks w
    where w.lease = ${lease}
  `;
}

/** Extends the leases that are still held, and stores positions, unless a delivery has stored a newer one meanwhile. */
export async function renewLeases(
  sql: Sql,
  lease: string,
  leaseMs: number,
  standings: readonly Standing[],
): Promise<{ id: number; term: bigint }[]> {
  const json = JSON.stringify(
    standings.map(({ term, deliveries, ...rest }) => ({ ...rest, term: String(term), deliveries: String(deliveries) })),
  );
  return await sql<{ id: number; term: bigint }[]>`
    update webhooks w
    set lease_until = now() + ${leaseMs} * interval '1 ms',
      position = case when w.deliveries = s.deliveries then s.position else w.position end,
      evaluated = w.evaluated + case when w.deliveries = s.deliveries then greatest(0, s.height - w.height) else 0 end,
      evaluated_at = case when w.deliveries = s.deliveries and s.height > w.height then now() else w.evaluated_at end,
      height = case when w.deliveries = s.deliveries then s.height else w.height end
    from json_to_recordset(${json}::text::json) as s (id int, term bigint, deliveries bigint, position text, height int)
    where w.id = s.id and w.term = s.term and w.lease = ${lease}
    returning w.id, w.term
  `;
}

/** Gives hooks back, so that they are taken again at once. */
export async function releaseHooks(sql: Sql, lease: string, ids: readonly number[]): Promise<void> {
  await sql`
    update webhooks
    set lease = null, lease_until = null
    where lease = ${lease} and id = any (${ids}::int[])
  `;
}
