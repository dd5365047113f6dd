import { ReorgDuringRead } from '../../cache/rendered-items.ts';
import { namedState } from '../../cache/tip-queries.ts';
import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';
import type { InterfaceStore } from '../contracts/interfaces-queries.ts';
import { type EventJson, eventsColumn, readEvents } from '../events/events-queries.ts';
import { findMempoolTransactions, type MempoolTransaction } from '../mempool/mempool-queries.ts';
import type { EventRange, KnownTransaction } from './known-transaction-queries.ts';
import { findOrphanTransaction, newestOrphan, type OrphanBlocks, readOrphanOf } from './orphan-transactions-queries.ts';
import {
  type Transaction,
  type TransactionRow,
  transactionColumns,
  transactionJoins,
  unanchoredJoins,
  withFunctions,
} from './transactions-queries.ts';

type LookupOptions = {
  events: EventRange;
  /** Also in microblocks that no block has confirmed yet. */
  unanchored: boolean;
  /** Where the interfaces of called contracts come from; undefined where nothing of them is shown. */
  interfaces: InterfaceStore | undefined;
};

/**
 * The transactions of these ids, by the hex of the id. The canonical chain and its unconfirmed microblocks win, then comes
 * the mempool with what it dropped; what only an orphaned block held is read from the log.
 *
 * One statement finds all of the chain and says where the others are. Throws `ReorgDuringRead` if a pending one has left the
 * mempool before it is read, which cannot happen in a transaction.
 */
export async function findTransactions(
  sql: Sql,
  ids: Uint8Array[],
  { events: range, unanchored, interfaces }: LookupOptions,
): Promise<Map<string, KnownTransaction | { waiting: MempoolTransaction }>> {
  const found = new Map<string, KnownTransaction | { waiting: MempoolTransaction }>();
  const located = await locate(sql, ids, range, unanchored);
  const mined = located.filter((row): row is MinedRow => row.tx_id !== null);
  for (const transaction of await withFunctions(sql, mined, interfaces)) {
    const { events } = transaction as MinedRow;
    found.set(transaction.tx_id.toString('hex'), { transaction, events: readEvents(transaction, events) });
  }
  const waiting = located.filter(row => row.waiting).map(row => row.id);
  const pending = await findMempoolTransactions(sql, waiting, interfaces);
  if (waiting.some(id => !pending.has(id.toString('hex')))) throw new ReorgDuringRead();
  for (const [key, waiting] of pending) found.set(key, { waiting });
  const blocks: OrphanBlocks = new Map();
  for (const { id, waiting, orphan } of located) {
    if (waiting || orphan === null) continue;
    const options = { blocks, withoutInterface: interfaces === undefined };
    const orphaned = await readOrphanOf(sql, orphan, id, range, options);
    if (orphaned) found.set(id.toString('hex'), orphaned);
  }
  return found;
}

/** Where a transaction is: in the chain, waiting in the mempool, or in an orphaned block of this index hash. */
type Location = { id: Buffer; waiting: boolean | null; orphan: Buffer | null };
type MinedRow = TransactionRow & Location & { events: EventJson[] | null };

/** A row for each of the ids, in no order. What is in a microblock is no longer pending: only requests with `unanchored` find it. */
async function locate(
  sql: Sql,
  ids: Uint8Array[],
  range: EventRange,
  unanchored: boolean,
): Promise<(MinedRow | (Location & { tx_id: null }))[]> {
  return await sql<(MinedRow | (Location & { tx_id: null }))[]>`
    select
      w.id,
      ${transactionColumns(sql)},
      ${eventsColumn(sql, range)} as events,
      case when t.tx_id is null then exists (
        select from mempool m where m.tx_id = w.id and m.status <> ${constant(sql, mempoolStatus.streamed)}
      ) end as waiting,
      case when t.tx_id is null then (${newestOrphan(sql, sql`w.id`)}) end as orphan,
      ${namedState(sql)}
    from unnest(${arrayLiteral(ids)}::bytea[]) as w (id)
    left join (
      transactions t
      ${unanchored ? unanchoredJoins(sql) : transactionJoins(sql)}
    ) on substring(t.tx_id from 1 for 7) = substring(w.id from 1 for 7) and t.tx_id = w.id
  `;
}

/** The canonical transaction of an id. */
export async function findMinedTransaction(
  sql: Sql,
  id: Uint8Array,
  interfaces: InterfaceStore | undefined,
): Promise<Transaction | undefined> {
  const rows = await sql<TransactionRow[]>`
    select ${transactionColumns(sql)}
    from transactions t
    ${transactionJoins(sql)}
    where substring(t.tx_id from 1 for 7) = ${id.subarray(0, 7)} and t.tx_id = ${id}
  `;
  return (await withFunctions(sql, rows, interfaces))[0];
}

/** The bytes of a transaction wherever it is known from, with its height where the chain has it. */
export async function findRawTransaction(
  sql: Sql,
  id: Uint8Array,
): Promise<{ raw: Uint8Array; height?: number } | undefined> {
  const [row] = await sql<{ raw: Buffer; height: number }[]>`
    select t.raw, t.height
    from transactions t
    where substring(t.tx_id from 1 for 7) = ${id.subarray(0, 7)} and t.tx_id = ${id}
  `;
  if (row) return row;
  const [waiting] = (await findMempoolTransactions(sql, [id], undefined)).values();
  if (waiting) return { raw: waiting.raw };
  const orphan = await findOrphanTransaction(sql, id, { offset: 0, limit: 0 }, { withoutInterface: true });
  return orphan && { raw: orphan.transaction.raw };
}
