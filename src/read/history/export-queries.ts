import { otherStatus } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';
import { blockTime } from '../blocks/block-time-queries.ts';
import { eventNames } from '../events/events-queries.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';
import { type EventStepRequest, listEventStep } from '../principals/event-steps-queries.ts';
import { paysFee } from '../principals/summaries-queries.ts';
import { listTransactionStep, type TransactionStepRequest } from '../principals/transaction-steps-queries.ts';
import { extrasOf } from '../transactions/transactions-queries.ts';
import type { ListedEventRow, ListedTransactionRow } from './list-export-queries.ts';

/** The block up to which an export reads. */
export type ExportEnd = { height: number; index_hash: Buffer };

/** Undefined where the chain has no such block. */
export async function findExportEnd(sql: Sql, asOf: AsOf): Promise<ExportEnd | undefined> {
  const [row] = await sql<ExportEnd[]>`
    select k.height, k.index_hash
    from (${asOfBlock(sql, asOf)}) m
    join blocks k on k.height = m.height
  `;
  return row;
}

/** Whether the chain still has the block: then nothing below it has changed. */
export async function isOnChain(sql: Sql, { height, index_hash }: ExportEnd): Promise<boolean> {
  const rows = await sql`select from blocks b where b.height = ${height} and b.index_hash = ${index_hash}`;
  return rows.length > 0;
}

/** A transaction of an account; `fee` is what it paid, 0 where another one paid. */
export type ExportedTransactionRow = ListedTransactionRow & { sent: string; received: string };

export const listExportedTransactions = (sql: Sql, request: TransactionStepRequest) =>
  listTransactionStep<ExportedTransactionRow>(sql, request, {
    columns: sql`
      ${blockTime(sql)} as time, t.tx_id, t.type, t.status, s.name as sender, t.nonce,
      case when ${paysFee(sql, sql`h`)} then t.fee else 0 end as fee, g.name as target, n.name as function, h.sent, h.received,
      case when t.status = ${constant(sql, otherStatus)} then ${extrasOf(sql)} end as extras
    `,
    joins: sql`
      join principals s on s.id = t.sender
      left join principals g on g.id = t.target and t.target <> 0
      left join functions n on n.id = t.function and t.function <> 0
    `,
  });

export type ExportedEventRow = ListedEventRow & { is_sender: boolean; is_recipient: boolean };

export const listExportedEvents = (sql: Sql, request: EventStepRequest) =>
  listEventStep<ExportedEventRow>(sql, request, {
    columns: sql`
      e.kind, ${blockTime(sql)} as time, t.tx_id, es.name as sender, er.name as recipient, ec.name as contract,
      ea.name as asset_name, e.amount, e.value, e.sender = w.id as is_sender, e.recipient = w.id as is_recipient
    `,
    joins: sql`
      cross join who w
      join blocks b on b.height = e.height
      left join transactions t on t.height = e.height and t.place = e.place
      ${eventNames(sql)}
    `,
  });
