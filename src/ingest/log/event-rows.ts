import type { Sql, Tx } from '../../db/client.ts';
import type { Payload } from './payload.ts';

/** The channel that carries the newest id after each commit. */
export const EVENTS_CHANNEL = 'cairn_events';

/** A compressed event with the numbers of its names: one row of the log without its id. */
export type EventRow = { path: number; source: number; at: string; payload: Payload };

/** Bounds of one insert statement. A payload beyond the bytes goes alone, by `insertLarge`. */
export const BATCH_EVENTS = 500;
export const BATCH_BYTES = 8 << 20;
/** A large payload goes to the server in slices: the driver writes bytea as hex, and its strings have an end. */
const SLICE_BYTES = 4 << 20;

/** Appends rows inside the caller's transaction and returns the last id; other appenders wait for its end. */
export async function appendRows(tx: Tx, rows: EventRow[]): Promise<bigint> {
  let lastId = 0n;
  for (let i = 0; i < rows.length; ) {
    if (rows[i]!.payload.storedBytes > BATCH_BYTES) {
      lastId = await insertLarge(tx, rows[i++]!);
      continue;
    }
    const start = i;
    for (let bytes = 0; i < rows.length && i - start < BATCH_EVENTS; i++) {
      bytes += rows[i]!.payload.storedBytes;
      if (i > start && bytes > BATCH_BYTES) break;
    }
    lastId = lastIdOf(await insertRows(tx, rows.slice(start, i)));
  }
  return lastId;
}

/** The result of an insert: the head of the log after it. */
export type Head = { last_id: bigint };

export const lastIdOf = (heads: readonly Head[]): bigint => {
  if (!heads[0]) throw new Error('event_log_head has no row: the database was not migrated');
  return heads[0].last_id;
};

/**
 * One statement, so one round trip and one commit: takes the lock that orders ids, inserts, announces.
 * The payloads travel as one value that is cut up there: parsing an array of them took half as long again.
 */
export function insertRows(sql: Sql, rows: EventRow[]) {
  const count = rows.length;
  const starts: number[] = [];
  let bytes = 0;
  for (const { payload } of rows) {
    starts.push(bytes + 1);
    bytes += payload.storedBytes;
  }
  return sql<Head[]>`
    with head as (
      update event_log_head set last_id = last_id + ${count} returning last_id
    ), inserted as (
      insert into event_log (id, at, size, source, path, hash, payload)
      select h.last_id - ${count} + e.n, e.at, e.size, e.source, e.path,
        substring(${Buffer.concat(rows.map(row => row.payload.hash))} from (e.n::int - 1) * 16 + 1 for 16),
        substring(${Buffer.concat(rows.flatMap(row => row.payload.parts))} from e.start for e.stored)
      from head h, unnest(
        ${arrayOf(rows.map(row => row.at))}::timestamptz[],
        ${arrayOf(rows.map(row => row.payload.size))}::int[],
        ${arrayOf(rows.map(row => row.source))}::int[],
        ${arrayOf(rows.map(row => row.path))}::smallint[],
        ${arrayOf(starts)}::int[],
        ${arrayOf(rows.map(row => row.payload.storedBytes))}::int[]
      ) with ordinality as e (at, size, source, path, start, stored, n)
    )
    select last_id, pg_notify(${EVENTS_CHANNEL}, last_id::text), ${durable(sql)}
    from head
  `;
}

/** Sends the payload in slices before it takes the lock, so that other appenders wait only for the last step. */
export async function insertLarge(tx: Tx, row: EventRow, signal?: AbortSignal): Promise<bigint> {
  await tx`create temp table if not exists event_upload (n int, part bytea) on commit drop`;
  await tx`truncate pg_temp.event_upload`;
  let n = 0;
  for (const slice of slices(row.payload.parts)) {
    if (signal?.aborted) throw new Error('the upload took too long');
    await tx`insert into pg_temp.event_upload (n, part) values (${n++}, ${slice})`;
  }
  return lastIdOf(
    await tx<Head[]>`
      with head as (
        update event_log_head set last_id = last_id + 1 returning last_id
      ), inserted as (
        insert into event_log (id, at, size, source, path, hash, payload)
        select h.last_id, ${row.at}::timestamptz, ${row.payload.size}::int, ${row.source}::int, ${row.path}::smallint,
          ${row.payload.hash}::bytea, (select string_agg(u.part, ''::bytea order by u.n) from pg_temp.event_upload u)
        from head h
      )
      select last_id, pg_notify(${EVENTS_CHANNEL}, last_id::text), ${durable(tx)}
      from head
    `,
  );
}

/** A session whose commits are lazy is made to wait for the disk this once. */
const durable = (sql: Sql) => sql`
  case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'on', true) end
`;

function* slices(parts: Buffer[]): Generator<Buffer> {
  let buffered: Buffer[] = [];
  let bytes = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length; from += SLICE_BYTES) {
      const slice = part.subarray(from, from + SLICE_BYTES);
      buffered.push(slice);
      bytes += slice.length;
      if (bytes < SLICE_BYTES) continue;
      yield Buffer.concat(buffered);
      buffered = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(buffered);
}

// Written here since none of the values needs quoting, and the driver would look up the types of arrays first.
const arrayOf = (values: (string | number)[]) => `{${values.map(value => `"${value}"`).join(',')}}`;
