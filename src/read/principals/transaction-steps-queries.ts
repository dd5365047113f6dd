import { role, signingRoles } from '../../chain/role.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import type { TransactionHistoryFilter } from './history-filter.ts';
import { transactionMatches } from './history-filter-queries.ts';
import {
  blockOf,
  type Direction,
  endStep,
  type HistoryStep,
  isBeyondStart,
  isNear,
  orderOf,
  signedSource,
  stepOf,
  transactionOf,
  transactionSource,
} from './history-steps-queries.ts';

export type TransactionStepRequest = {
  principal: Uint8Array;
  direction: Direction;
  start: Statement<unknown>;
  upTo?: number | undefined;
  filter: TransactionHistoryFilter;
  limit: number;
  /** Transactions of the account that the step looks at. */
  most: number;
};

/**
 * Transactions of an account that match a filter. Those of block 0 and those of others that only locked its STX are left out, as the
 * list of transactions does. `columns` and `joins` add to the row `h` of the history, its transaction `t` and its block `b`.
 */
export async function listTransactionStep<Row>(
  sql: Sql,
  request: TransactionStepRequest,
  { columns, joins }: { columns: Statement<unknown>; joins: Statement<unknown> },
): Promise<HistoryStep<Row & { height: number; place: number; event_index: number }>> {
  type Found = Row & { height: number; place: number; event_index: number };
  const { principal, direction, filter, limit } = request;
  // Of what the account sent itself there is an index.
  const signed = filter.sender !== undefined && Buffer.compare(filter.sender, principal) === 0;
  const order = orderOf(sql, direction);
  const rows = await sql<({ edge: number | null } & (Found | { height: null }))[]>`
    with ${stepOf(sql, { ...request, range: filter.range, sources: [signed ? signedSource(sql) : transactionSource(sql)] })},
    looked as materialized (
      select h.height, h.place, h.role, h.sent, h.received
      from step x
      join principal_transactions h on h.principal = x.id and h.height between x.low and x.high
        ${signed ? sql`and h.role & ${constant(sql, signingRoles)} <> 0` : sql``}
      where ${isNear(sql, filter.range, sql`h.height`)}
        and ${isBeyondStart(sql, direction, sql`h.height, h.place::int, 0`)} and ${isListed(sql)}
    ), page as (
      select h.*
      from looked h
      ${transactionOf(sql, sql`h`)}
      ${blockOf(sql, filter.range, sql`h`)}
      where ${transactionMatches(sql, filter)}
      order by h.height ${order}, h.place ${order}
      limit ${limit + 1}
    ), shown as (
      select h.height, h.place, 0 as event_index, ${columns}
      from page h
      join transactions t on t.height = h.height and t.place = h.place
      join blocks b on b.height = h.height
      ${joins}
    )
    select x.edge, s.*
    from step x
    left join shown s on true
    order by s.height ${order}, s.place ${order}
  `;
  return endStep<Found>(rows, limit, direction);
}

const isListed = (sql: Sql) => sql`
  h.role <> ${constant(sql, role.lock)} and (h.height <> 1 or not exists (
    select from transaction_extras g where g.height = 1 and g.place = h.place and g.name = 'genesis'
  ))
`;
