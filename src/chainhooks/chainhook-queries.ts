import type { Sql } from '../db/client.ts';
import { type HookState, takeFromSender } from '../webhooks/hook-queries.ts';
import type { StoredDefinition } from './event-payload.ts';

/** A chainhook of version 2.0. */
export type ChainhookRow = {
  hook: number;
  uuid: string;
  /** Name of its webhook. */
  name: string;
  selection: StoredDefinition;
  state: HookState;
  reason: string | null;
  height: number;
  evaluated: bigint;
  evaluated_at: Date | null;
  occurrences: bigint;
  occurred_height: number | null;
  occurred_at: Date | null;
  end_height: number | null;
  end_occurrences: bigint | null;
  created_at: Date;
};

const columns = (sql: Sql) => sql`
  c.hook, c.uuid, w.name, w.selection, w.state, w.reason, w.height, w.evaluated, w.evaluated_at, w.occurrences,
  w.occurred_height, w.occurred_at, w.end_height, w.end_occurrences, w.created_at
`;

/** The chainhooks of an owner, oldest first. */
export async function listChainhooks(
  sql: Sql,
  owner: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ChainhookRow[]> {
  return await sql<ChainhookRow[]>`
    select ${columns(sql)}
    from chainhooks c
    join webhooks w on w.id = c.hook
    where c.owner = ${owner}
    order by c.hook
    offset ${offset}
    limit ${limit}
  `;
}

export async function countChainhooks(sql: Sql, owner: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from chainhooks c where c.owner = ${owner}
  `;
  return row!.count;
}

/** The chainhook of an owner with an id; while it is changed, it is locked. */
export async function findChainhook(
  sql: Sql,
  owner: string,
  uuid: string,
  lock = false,
): Promise<ChainhookRow | undefined> {
  const [row] = await sql<ChainhookRow[]>`
    select ${columns(sql)}
    from chainhooks c
    join webhooks w on w.id = c.hook
    where c.owner = ${owner} and c.uuid = ${uuid}
    ${lock ? sql`for update of w` : sql``}
  `;
  return row;
}

/** Makes a webhook a chainhook; false if its id is in use. */
export async function insertChainhook(sql: Sql, hook: number, uuid: string, owner: string | null): Promise<boolean> {
  const rows = await sql`
    insert into chainhooks (hook, uuid, owner)
    values (${hook}, ${uuid}, ${owner})
    on conflict do nothing
    returning hook
  `;
  return rows.length > 0;
}

/** When a chainhook expires; null for never. */
export type Ends = { end_height: number | null; end_occurrences: number | null };

export async function updateEnds(sql: Sql, hook: number, { end_height, end_occurrences }: Ends): Promise<void> {
  await sql`
    update webhooks
    set end_height = ${end_height}::int, end_occurrences = ${end_occurrences}::bigint
    where id = ${hook}
  `;
}

/** Stores a changed definition; whoever sends begins again with it. */
export async function updateDefinition(
  sql: Sql,
  hook: number,
  { url, selection, ends }: { url: string; selection: StoredDefinition; ends: Ends },
): Promise<void> {
  await updateEnds(sql, hook, ends);
  await sql`
    update webhooks
    set url = ${url}, selection = ${JSON.stringify(selection)}::text::json, ${takeFromSender(sql)}
    where id = ${hook}
  `;
}
