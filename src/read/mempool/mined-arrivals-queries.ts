import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import type { InterfaceStore } from '../contracts/interfaces-queries.ts';
import {
  type TransactionRow,
  transactionColumns,
  unanchoredJoins,
  withFunctions,
} from '../transactions/transactions-queries.ts';
import type { MempoolTransaction } from './mempool-queries.ts';

type Arrival = { received_at: number; received_height: number };

/** When a mined transaction was first received, in Unix seconds; undefined if that was never seen or is long ago. */
export async function findReceiptTime(sql: Sql, height: number, place: number): Promise<number | undefined> {
  const [row] = await sql<{ received_at: number }[]>`
    select r.received_at from mempool_receipts r where r.height = ${height} and r.place = ${place}
  `;
  return row?.received_at;
}

/** Mined transactions as they were while they waited, by the hex of the id; those that were not mined are left out. */
export async function findMinedArrivals(
  sql: Sql,
  ids: Uint8Array[],
  interfaces: InterfaceStore | undefined,
): Promise<Map<string, MempoolTransaction>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<(TransactionRow & Arrival)[]>`
    select ${transactionColumns(sql)}, coalesce(r.received_at, b.burn_time) as received_at,
      coalesce(r.received_height, t.height - 1) as received_height
    from transactions t
    ${unanchoredJoins(sql)}
    left join mempool_receipts r on r.height = t.height and r.place = t.place
    where substring(t.tx_id from 1 for 7) = any (${arrayLiteral(ids.map(id => id.subarray(0, 7)))}::bytea[])
      and t.tx_id = any (${arrayLiteral(ids)}::bytea[])
  `;
  // Adding the interfaces of called contracts keeps every other column.
  const mined = (await withFunctions(sql, rows, interfaces)) as (TransactionRow &
    Arrival &
    Pick<MempoolTransaction, 'functions'>)[];
  return new Map(
    mined.map(row => {
      const { tx_id, raw, received_at, received_height, type, target, interface_version, functions } = row;
      const waiting = { tx_id, raw, received_at, received_height, type, target, interface_version, unreported: false };
      const pending = { ...waiting, status: mempoolStatus.pending, reason: '', replaced_by: Buffer.alloc(0) };
      return [tx_id.toString('hex'), functions ? { ...pending, functions } : pending];
    }),
  );
}
