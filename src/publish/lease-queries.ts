import type { Sql } from '../db/client.ts';
import type { TroubleKind } from './trouble.ts';

export type Lease = { stream: string; lease: string; leaseMs: number };

/** Takes the right to publish to a stream, unless another process has it; returns the stored position. */
export async function takeStream(
  sql: Sql,
  { stream, lease, leaseMs }: Lease,
): Promise<{ position: string | null } | undefined> {
  const [row] = await sql<{ position: string | null }[]>`
    insert into publishers as p (stream, lease, lease_until)
    values (${stream}, ${lease}, now() + ${leaseMs} * interval '1 ms')
    on conflict (stream) do update
    set lease = excluded.lease, lease_until = excluded.lease_until
    where p.lease is null or p.lease = excluded.lease or p.lease_until < now()
    returning p.position
  `;
  return row;
}

/** How far a publisher is, and what it did since the last time. */
export type Progress = {
  position: string | undefined;
  height: number;
  messages: number;
  trouble: TroubleKind | undefined;
};

/** Extends the lease and stores how far the publisher is; false if another process has the stream. */
export async function renewStream(
  sql: Sql,
  { stream, lease, leaseMs }: Lease,
  { position, height, messages, trouble }: Progress,
): Promise<boolean> {
  const rows = await sql`
    update publishers
    set lease_until = now() + ${leaseMs} * interval '1 ms',
      position = coalesce(${position ?? null}::text, position),
      height = case when ${position === undefined} then height else ${height}::int end,
      messages = messages + ${messages}::int,
      published_at = case when ${messages}::int > 0 then now() else published_at end,
      trouble = ${trouble ?? null}::text,
      failing_since = case when ${trouble !== undefined} then coalesce(failing_since, now()) end
    where stream = ${stream} and lease = ${lease}
    returning stream
  `;
  return rows.length > 0;
}

/** Gives the stream back, so that another process takes it at once. */
export async function releaseStream(sql: Sql, { stream, lease }: Omit<Lease, 'leaseMs'>): Promise<void> {
  await sql`update publishers set lease = null, lease_until = null where stream = ${stream} and lease = ${lease}`;
}
