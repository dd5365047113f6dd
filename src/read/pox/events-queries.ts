import type { Sql } from '../../db/client.ts';

/** A call of a PoX contract: its position, and the print event that reports it. */
export type PoxEventRow = {
  height: number;
  tx_index: number;
  event_index: number;
  version: number;
  tx_id: Buffer;
  value: Buffer;
};

/** More calls than any account made so far; what lies beyond is left to the paged list. */
const maxOfStacker = 10_000;

const columns = (sql: Sql) => sql`e.height, t.tx_index, e.event_index, e.version, t.tx_id, v.value`;

/** Gives a call `e` its transaction `t` and its event `v`. */
const joins = (sql: Sql) => sql`
  join transactions t on t.height = e.height and t.place = e.place
  join events v on v.height = e.height and v.place = e.place and v.event_index = e.event_index
`;

/** Rows of blocks only: those of unconfirmed microblocks have a height above the tip. */
const confirmed = (sql: Sql) => sql`e.height <= (select p.height from fold_position p)`;
const newestFirst = (sql: Sql) => sql`order by e.height desc, e.place desc, e.event_index desc`;

/** Newest first. */
export async function listPoxEvents(sql: Sql, version: number, limit: number, offset: number) {
  return await sql<PoxEventRow[]>`
    select ${columns(sql)}
    from (
      select e.height, e.place, e.event_index, e.version
      from pox_events e
      where e.version = ${version} and ${confirmed(sql)}
      ${newestFirst(sql)}
      limit ${limit}
      offset ${offset}
    ) e
    ${joins(sql)}
    ${newestFirst(sql)}
  `;
}

/** Newest first; undefined when no transaction has the id. */
export async function listPoxEventsOfTransaction(sql: Sql, version: number, txId: Uint8Array) {
  const rows = await sql<(PoxEventRow | { value: null })[]>`
    select ${columns(sql)}
    from transactions t
    left join pox_events e on e.height = t.height and e.place = t.place and e.version = ${version}
    left join events v on v.height = e.height and v.place = e.place and v.event_index = e.event_index
    where substring(t.tx_id from 1 for 7) = ${txId.subarray(0, 7)} and t.tx_id = ${txId}
    ${newestFirst(sql)}
  `;
  return rows.length === 0 ? undefined : rows.filter((row): row is PoxEventRow => row.value !== null);
}

/** Newest first; empty for a principal that never stacked. */
export async function listPoxEventsOfStacker(sql: Sql, version: number, stacker: Uint8Array) {
  return await sql<PoxEventRow[]>`
    select ${columns(sql)}
    from principals s
    join pox_events e on e.stacker = s.id
    ${joins(sql)}
    where s.name = ${stacker} and e.version = ${version} and ${confirmed(sql)}
    ${newestFirst(sql)}
    limit ${maxOfStacker}
  `;
}
