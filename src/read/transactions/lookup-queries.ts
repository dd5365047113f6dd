import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import type { InterfaceStore } from '../contracts/interfaces-queries.ts';
import { listTransactionEvents } from '../events/events-queries.ts';
import { findMempoolTransactions, type MempoolTransaction } from '../mempool/mempool-queries.ts';
import type { EventRange, KnownTransaction } from './known-transaction-queries.ts';
import { findOrphanTransaction, type OrphanBlocks } from './orphan-transactions-queries.ts';
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
 */
export async function findTransactions(
  sql: Sql,
  ids: Uint8Array[],
  { events: range, unanchored, interfaces }: LookupOptions,
): Promise<Map<string, KnownTransaction | { waiting: MempoolTransaction }>> {
  const found = new Map<string, KnownTransaction | { waiting: MempoolTransaction }>();
  const mined = await findMined(sql, ids, unanchored, interfaces);
  const events = await listTransactionEvents(sql, mined, range);
  for (const transaction of mined) {
    found.set(transaction.tx_id.toString('hex'), {
      transaction,
      events: events.filter(event => event.height === transaction.height && event.place === transaction.place),
    });
  }
  const missing = ids.filter(id => !found.has(Buffer.from(id).toString('hex')));
  for (const [key, waiting] of await findMempoolTransactions(sql, missing, interfaces)) {
    // What is in a microblock is no longer pending: only requests with `unanchored` find it.
    if (waiting.status !== mempoolStatus.streamed) found.set(key, { waiting });
  }
  const blocks: OrphanBlocks = new Map();
  for (const id of missing) {
    const key = Buffer.from(id).toString('hex');
    if (found.has(key)) continue;
    const orphan = await findOrphanTransaction(sql, id, range, { blocks, withoutInterface: interfaces === undefined });
    if (orphan) found.set(key, orphan);
  }
  return found;
}

/** The canonical ones, in no order. */
async function findMined(
  sql: Sql,
  ids: Uint8Array[],
  unanchored: boolean,
  interfaces: InterfaceStore | undefined,
): Promise<Transaction[]> {
  const rows = await sql<TransactionRow[]>`
    select ${transactionColumns(sql)}
    from transactions t
    ${unanchored ? unanchoredJoins(sql) : transactionJoins(sql)}
    where substring(t.tx_id from 1 for 7) = any (${arrayLiteral(ids.map(id => id.subarray(0, 7)))}::bytea[])
      and t.tx_id = any (${arrayLiteral(ids)}::bytea[])
  `;
  return withFunctions(sql, rows, interfaces);
}

/** The canonical transaction of an id. */
export async function findMinedTransaction(
  sql: Sql,
  id: Uint8Array,
  interfaces: InterfaceStore | undefined,
): Promise<Transaction | undefined> {
  return (await findMined(sql, [id], false, interfaces))[0];
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
