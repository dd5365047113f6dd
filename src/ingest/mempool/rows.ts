import { arrayLiteral, type Sql } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import type { Table } from '../../db/table.ts';
import type { Batch } from '../rows/batch.ts';
import { findTenure } from './chain.ts';
import { type Entry, type Figures, MempoolEntries } from './entries.ts';
import { Mempool } from './mempool.ts';

const mempoolTable: Table = {
  name: 'mempool',
  columns: {
    fee: 'int8',
    nonce: 'int8',
    sponsor_nonce: 'int8',
    amount: 'int8',
    event_id: 'int8',
    received_at: 'int4',
    received_height: 'int4',
    received_tenure: 'int4',
    dropped_at: 'int4',
    dropped_height: 'int4',
    dropped_tenure: 'int4',
    sender: 'principal',
    sponsor: 'principal',
    target: 'principal',
    function: 'function',
    size: 'int4',
    holders: 'int4',
    type: 'int2',
    status: 'int2',
    tx_id: 'bytea',
    replaced_by: 'bytea',
    reason: 'text',
    raw: 'bytea',
  },
};

export const mempoolReceiptsTable: Table = {
  name: 'mempool_receipts',
  columns: {
    event_id: 'int8',
    height: 'int4',
    received_at: 'int4',
    received_height: 'int4',
    received_tenure: 'int4',
    holders: 'int4',
    place: 'int2',
  },
};

export const mempoolUnreadTable: Table = {
  name: 'mempool_unread',
  columns: { event_id: 'int8', position: 'int4', height: 'int4', reason: 'text', body: 'text' },
};

export const mempoolSourcesTable: Table = { name: 'mempool_sources', columns: { bit: 'int2', source: 'text' } };

type EntryRow = {
  [name in (typeof numbers)[number]]: number;
} & {
  fee: bigint;
  nonce: bigint;
  sponsor_nonce: bigint;
  event_id: bigint;
  tx_id: Buffer;
  replaced_by: Buffer;
  reason: string;
};
const numbers = [
  'received_at',
  'received_height',
  'received_tenure',
  'dropped_at',
  'dropped_height',
  'dropped_tenure',
  'sender',
  'sponsor',
  'holders',
  'type',
  'status',
] as const;

/** Arrays that are changed in place are copied. */
const noFigures = () => ({ version: 0n, digest: 0n, pending: 0, dropped: 0, types: [], heard_at: [] });

/** Reads the mempool as the last transaction of the fold left it. */
export async function loadMempool(sql: Sql, height: number): Promise<Mempool> {
  const [state] = await sql<(Figures & { heard_at: number[] })[]>`
    select s.version, s.digest, s.pending, s.dropped, s.types, s.heard_at from mempool_state s
  `;
  const rows = await sql<EntryRow[]>`
    select m.fee, m.nonce, m.sponsor_nonce, m.event_id, m.received_at, m.received_height, m.received_tenure, m.dropped_at,
      m.dropped_height, m.dropped_tenure, m.sender, m.sponsor, m.holders, m.type, m.status, m.tx_id, m.replaced_by, m.reason
    from mempool m
  `;
  const { heard_at, ...figures } = state ?? noFigures();
  return new Mempool(new MempoolEntries(figures, rows.map(storedEntry)), heard_at, {
    height,
    tenure: await findTenure(sql, height),
  });
}

function storedEntry(row: EntryRow): Entry {
  return {
    key: row.tx_id.toString('hex'),
    fee: row.fee,
    nonce: row.nonce,
    sponsorNonce: row.sponsor_nonce,
    sender: row.sender,
    sponsor: row.sponsor,
    type: row.type,
    // The column holds nothing else.
    status: row.status as Entry['status'],
    eventId: row.event_id,
    receivedAt: row.received_at,
    receivedHeight: row.received_height,
    receivedTenure: row.received_tenure,
    holders: row.holders,
    droppedAt: row.dropped_at,
    droppedHeight: row.dropped_height,
    droppedTenure: row.dropped_tenure,
    replacedBy: row.replaced_by.toString('hex'),
    reason: row.reason,
  };
}

/** Adds the changes: new rows to the batch, all others to the flush, to run before the rows of the batch. */
export function writeMempool({ entries, heardAt }: Mempool, batch: Batch, flush: Flush): void {
  const gone: Uint8Array[] = [];
  const changed: Entry[] = [];
  for (const { key, stored, entry } of entries.takeChanges()) {
    if (stored && (!entry || entry.content)) gone.push(bytesOf(key));
    if (entry?.content) {
      batch.add(mempoolTable, rowOf(entry, entry.content));
      entry.content = undefined;
    } else if (entry) changed.push(entry);
  }
  if (gone.length > 0) flush.query('delete from mempool where tx_id = any ($1::bytea[])', [arrayLiteral(gone)]);
  if (changed.length > 0) updateRows(flush, changed);
  const { version, digest, pending, dropped, types } = entries.figures;
  flush.query(
    `insert into mempool_state (version, digest, pending, dropped, types, heard_at)
     values ($1::bigint, $2::bigint, $3::int, $4::int, $5::int[], $6::int[])
     on conflict (one) do update
     set version = excluded.version, digest = excluded.digest, pending = excluded.pending, dropped = excluded.dropped,
       types = excluded.types, heard_at = excluded.heard_at`,
    [version, digest, pending, dropped, arrayLiteral(types), arrayLiteral(heardAt)],
  );
}

/** Adds samples of the numbers of pending transactions by minute. */
export function writeSamples(flush: Flush, samples: ReadonlyMap<number, readonly number[]>): void {
  flush.query(
    `insert into mempool_samples (minute, types)
     select s.minute, s.types::int[] from unnest($1::int[], $2::text[]) as s (minute, types)
     on conflict (minute) do update set types = excluded.types`,
    [arrayLiteral([...samples.keys()]), arrayLiteral([...samples.values()].map(types => arrayLiteral(types)))],
  );
}

function updateRows(flush: Flush, changed: Entry[]): void {
  flush.query(
    `update mempool m
     set status = u.status, holders = u.holders, dropped_at = u.dropped_at, dropped_height = u.dropped_height,
       dropped_tenure = u.dropped_tenure, replaced_by = u.replaced_by, reason = u.reason
     from unnest($1::bytea[], $2::int2[], $3::int[], $4::int[], $5::int[], $6::int[], $7::bytea[], $8::text[])
       as u (tx_id, status, holders, dropped_at, dropped_height, dropped_tenure, replaced_by, reason)
     where m.tx_id = u.tx_id`,
    [
      arrayLiteral(changed.map(e => bytesOf(e.key))),
      arrayLiteral(changed.map(e => e.status)),
      arrayLiteral(changed.map(e => e.holders)),
      arrayLiteral(changed.map(e => e.droppedAt)),
      arrayLiteral(changed.map(e => e.droppedHeight)),
      arrayLiteral(changed.map(e => e.droppedTenure)),
      arrayLiteral(changed.map(e => bytesOf(e.replacedBy))),
      arrayLiteral(changed.map(e => e.reason)),
    ],
  );
}

function rowOf(entry: Entry, content: NonNullable<Entry['content']>) {
  return [
    content.fee,
    content.nonce,
    content.sponsorNonce,
    content.amount,
    entry.eventId,
    entry.receivedAt,
    entry.receivedHeight,
    entry.receivedTenure,
    entry.droppedAt,
    entry.droppedHeight,
    entry.droppedTenure,
    content.sender,
    content.sponsor,
    content.target,
    content.function,
    content.raw.length,
    entry.holders,
    content.type,
    entry.status,
    content.txId,
    bytesOf(entry.replacedBy),
    entry.reason,
    content.raw,
  ];
}

const bytesOf = (key: string) => Buffer.from(key, 'hex');
