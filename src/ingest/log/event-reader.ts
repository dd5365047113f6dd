import type { Sql } from '../../db/client.ts';
import { finishMessage, largeBytes, MessageError, parseMessage } from '../../node/json.ts';
import { MessageSplitter } from '../../node/message-splitter.ts';
import { decompressBody, decompressParts } from './payload.ts';

/** An event with the place it has in the log. */
export type LoggedEvent = {
  id: bigint;
  at: Date;
  path: string;
  source: string;
  body: Buffer;
  /** The parsed body, or why it cannot be parsed, where a large event was read as a message: `body` is empty then. */
  large?: { size: number; message: unknown };
};

/** Bytes of the body. */
export const sizeOf = ({ body, large }: LoggedEvent): number => large?.size ?? body.length;

/** The parsed body; throws a `MessageError` if it cannot be parsed. */
export function parseEvent({ body, large }: LoggedEvent): unknown {
  if (large?.message instanceof MessageError) throw large.message;
  return large ? large.message : parseMessage(body);
}

/** An event as it was read from the log. */
export type StoredEvent = LoggedEvent & {
  /** Its time in microseconds, as `2024-03-13 15:34:10.446375+00`. */
  atText: string;
};

export type BatchLimits = {
  /** Bytes of bodies in a batch; a single larger event is returned alone. */
  maxBytes?: number;
  maxCount?: number;
  /** Last id to read; all without it. */
  upTo?: bigint;
  /** Large bodies are parsed while they are unpacked, and never held. */
  asMessages?: boolean;
};

type Row = {
  id: bigint;
  at: Date;
  at_text: string;
  path: string;
  source: string;
  size: number;
  stored_bytes: number;
  payload: Buffer | null;
};

/** Payloads beyond this are fetched in slices: the driver reads bytea as hex, and its strings have an end. */
const SLICE_BYTES = 8 << 20;

/** The next events after `afterId`, in order; empty when there is none yet. */
export async function readEvents(sql: Sql, afterId: bigint, limits: BatchLimits = {}): Promise<StoredEvent[]> {
  const { maxBytes = 32 << 20, maxCount = 1000, upTo, asMessages = false } = limits;
  const rows = await sql<Row[]>`
    select ${columns(sql)}
    from (
      select n.*, sum(n.size) over (order by n.id) as total, row_number() over (order by n.id) as place
      from (
        select id, at, size, source, path, payload
        from event_log
        where id > ${String(afterId)}::bigint ${upTo === undefined ? sql`` : sql`and id <= ${String(upTo)}::bigint`}
        order by id
        limit ${maxCount}
      ) n
    ) l
    join event_paths p on p.id = l.path
    join event_sources s on s.id = l.source
    where l.place = 1 or l.total <= ${maxBytes}
    order by l.id
  `;
  return Promise.all(rows.map(row => openRow(sql, row, asMessages)));
}

/**
 * Batches until the end of the log; the next one is read and unpacked while the caller works on this one.
 * At most two batches are in memory.
 */
export async function* eventBatches(
  sql: Sql,
  afterId: bigint,
  limits: BatchLimits = {},
): AsyncGenerator<StoredEvent[], void, void> {
  let next = readEvents(sql, afterId, limits);
  for (;;) {
    const batch = await next;
    const last = batch.at(-1);
    if (!last) return;
    next = readEvents(sql, last.id, limits);
    // A read that fails while the caller works, or after it has left, must not be an unhandled rejection.
    next.catch(() => {});
    yield batch;
  }
}

export async function eventById(
  sql: Sql,
  id: bigint,
  { asMessages = false }: Pick<BatchLimits, 'asMessages'> = {},
): Promise<StoredEvent | undefined> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)}
    from event_log l
    join event_paths p on p.id = l.path
    join event_sources s on s.id = l.source
    where l.id = ${String(id)}::bigint
  `;
  return row && openRow(sql, row, asMessages);
}

const columns = (sql: Sql) => sql`
  l.id, l.at, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"+00"') as at_text,
  p.path, s.source, l.size, octet_length(l.payload) as stored_bytes,
  case when octet_length(l.payload) <= ${SLICE_BYTES} then l.payload end as payload
`;

async function openRow(sql: Sql, row: Row, asMessages: boolean): Promise<StoredEvent> {
  try {
    const payload = row.payload ?? (await fetchSlices(sql, row.id, row.stored_bytes));
    const event = { id: row.id, at: row.at, atText: row.at_text, path: row.path, source: row.source };
    if (!asMessages || row.size <= largeBytes) return { ...event, body: await decompressBody(payload, row.size) };
    const message = await readLarge(payload, row.size);
    return { ...event, body: Buffer.alloc(0), large: { size: row.size, message } };
  } catch (error) {
    throw new Error(`reading event ${row.id} from the log`, { cause: error });
  }
}

/** The message, or what is wrong with it. */
async function readLarge(payload: Buffer, size: number): Promise<unknown> {
  const splitter = new MessageSplitter();
  try {
    for await (const part of decompressParts(payload, size)) splitter.push(part);
    return finishMessage(splitter);
  } catch (error) {
    if (error instanceof MessageError) return error;
    throw error;
  }
}

async function fetchSlices(sql: Sql, id: bigint, bytes: number): Promise<Buffer> {
  const payload = Buffer.allocUnsafe(bytes);
  for (let from = 0; from < bytes; from += SLICE_BYTES) {
    const [row] = await sql<{ part: Buffer }[]>`
      select substring(payload from ${from + 1} for ${SLICE_BYTES}) as part
      from event_log
      where id = ${String(id)}::bigint
    `;
    if (!row) throw new Error('it is gone');
    row.part.copy(payload, from);
  }
  return payload;
}
