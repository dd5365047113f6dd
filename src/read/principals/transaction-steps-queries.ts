import { revision } from '../../cache/revision.ts';
import { directRoles, role, signingRoles } from '../../chain/role.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import type { TransactionHistoryFilter } from '../filters/filter.ts';
import { transactionMatches } from '../filters/filter-queries.ts';
import {
  blockOf,
  type Direction,
  endStep,
  type HistoryStep,
  isBeyondStart,
  isNear,
  orderOf,
  principalSubject,
  signedSource,
  stepOf,
  transactionOf,
  transactionSource,
} from '../filters/steps-queries.ts';
import type { PrincipalTransaction } from './transactions-queries.ts';

export type TransactionStepRequest = {
  principal: Uint8Array;
  direction: Direction;
  start: Statement<unknown>;
  upTo?: number | undefined;
  filter: TransactionHistoryFilter;
  /** Default: the third. */
  version?: ListVersion;
  limit: number;
  /** Transactions of the account that the step looks at. */
  most: number;
};

/** The versions of the list of an account's transactions, which leave out different ones. */
type ListVersion = 'v1' | 'v2' | 'v3';

/**
 * Transactions of an account that match a filter, of those that a version of the list has. `columns` and `joins` add to the row `h` of the history, its transaction `t` and its block `b`.
 */
export async function listTransactionStep<Row>(
  sql: Sql,
  request: TransactionStepRequest,
  { columns, joins }: { columns: Statement<unknown>; joins: Statement<unknown> },
): Promise<HistoryStep<Row & { height: number; place: number; event_index: number }>> {
  type Found = Row & { height: number; place: number; event_index: number };
  const { principal, direction, filter, limit, version = 'v3' } = request;
  // Of what the account sent itself there is an index.
  const signed = filter.sender !== undefined && Buffer.compare(filter.sender, principal) === 0;
  const order = orderOf(sql, direction);
  const rows = await sql<({ edge: number | null } & (Found | { height: null }))[]>`
    with ${stepOf(sql, { ...request, subject: principalSubject(sql, request.principal), range: filter.range, sources: [signed ? signedSource(sql) : transactionSource(sql)] })},
    looked as materialized (
      select h.height, h.place, h.role, h.sent, h.received
      from step x
      join principal_transactions h on h.principal = x.id and h.height between x.low and x.high
        ${signed ? sql`and h.role & ${constant(sql, signingRoles)} <> 0` : sql``}
      where ${isNear(sql, filter.range, sql`h.height`)}
        and ${isBeyondStart(sql, direction, sql`h.height, h.place::int, 0`)} and ${isListed[version](sql)}
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

const isGenesis = (sql: Sql) => sql`
  h.height = 1 and exists (
    select from transaction_extras g where g.height = 1 and g.place = h.place and g.name = 'genesis'
  )
`;

/** The condition that a version has the row `h` of a history. */
const isListed: Record<ListVersion, (sql: Sql) => Statement<unknown>> = {
  /** Without block 0 and what only moved tokens for the account. */
  v1: sql => sql`h.role & ${constant(sql, directRoles)}::int <> 0 and not (${isGenesis(sql)})`,
  /** Of block 0 what moved something for the account. */
  v2: sql => sql`(h.role & ${constant(sql, role.stx | role.ft | role.nft)}::int <> 0 or not (${isGenesis(sql)}))`,
  /** Without block 0 and transactions of others that only locked STX of the account. */
  v3: sql => sql`h.role <> ${constant(sql, role.lock)} and not (${isGenesis(sql)})`,
};

/** Transactions of an account that a request with a filter looks at. */
export const MOST_TRANSACTIONS = 300;

/** Those of the first two versions of the list that match a filter, the newest first. */
export const listFilteredPrincipalTransactions = (
  sql: Sql,
  request: Pick<TransactionStepRequest, 'principal' | 'start' | 'filter' | 'limit'> & { version: ListVersion },
): Promise<HistoryStep<PrincipalTransaction>> =>
  listTransactionStep<PrincipalTransaction>(
    sql,
    { ...request, direction: 'newest', most: MOST_TRANSACTIONS },
    { columns: sql`${revision(sql)} as version, h.role, h.sent, h.received`, joins: sql`` },
  );
