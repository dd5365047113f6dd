import type { Sql } from '../db/client.ts';
import type { Selection } from './definition.ts';

/** A hook that this process may send for until its lease ends. */
export type HeldHook = {
  id: number;
  term: bigint;
  name: string;
  url: string;
  selection: Selection;
  batch: number;
  secret: Buffer;
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
};

/** Takes active hooks that nobody sends for and whose secrets are encrypted with this key. */
export async function takeHooks(
  sql: Sql,
  { lease, leaseMs, key, limit }: { lease: string; leaseMs: number; key: Buffer; limit: number },
): Promise<HeldHook[]> {
  return await sql<HeldHook[]>`
    with free as (
      select w.id
      from webhooks w
      where w.state = 'active' and w.secret_key = ${key} and (w.lease is null or w.lease_until < now())
      order by w.id
      limit ${limit}
      for update skip locked
    )
    update webhooks w
    set lease = ${lease}, lease_until = now() + ${leaseMs} * interval '1 ms', term = w.term + 1
    from free f
    where w.id = f.id
    returning w.id, w.term, w.name, w.url, w.selection, w.batch, w.secret, w.position, w.attempt_until, w.undo, w.failures,
      (extract(epoch from now() - w.failing_since) * 1000)::float8 as failing_ms,
      greatest(0, extract(epoch from w.due - now()) * 1000)::float8 as wait_ms,
      w.deliveries, w.again_position, w.again_to, w.again_number
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

/** The hooks that are still held, by id. */
export async function listHeld(sql: Sql, lease: string): Promise<{ id: number; term: bigint }[]> {
  return await sql<{ id: number; term: bigint }[]>`select w.id, w.term from webhooks w where w.lease = ${lease}`;
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
