import { role, signingRoles } from '../../chain/role.ts';
import { type KnownStatus, payloadIds, statusCodes } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { firstSince, inBlockRange, lastUntil } from '../pages/block-range-queries.ts';

/** What the transactions of a list have in common; what is absent does not matter. */
export type TransactionFilter = {
  payloadIds?: number[];
  /** Compact principals. */
  from?: Uint8Array;
  /** The recipient of a token transfer. */
  to?: Uint8Array;
  /** The contract that is called. */
  contract?: Uint8Array;
  functionName?: string;
  nonce?: number;
  /** What came of it: success, any abort, or one kind of abort. */
  outcome?: KnownStatus | 'failed';
  /** Seconds; the time of the burn block counts. */
  startTime?: number;
  endTime?: number;
};

const MAX_INT = 2_147_483_647;

/** The table whose index narrows the list most. */
export function source(sql: Sql, filter: TransactionFilter, byTime = false) {
  const transactions = filter.from
    ? sql`principal_transactions s join transactions t on t.height = s.height and t.place = s.place`
    : sql`transactions t`;
  const timed = byTime || filter.startTime !== undefined || filter.endTime !== undefined;
  return timed ? sql`${transactions} join blocks b on b.height = t.height` : transactions;
}

/** The table to count or to pass over rows of: those of a sender are known by its history alone. */
export function keySource(sql: Sql, { from, ...others }: TransactionFilter) {
  const alone = from && Object.values(others).every(value => value === undefined);
  return alone
    ? sql`principal_transactions s cross join lateral (select s.height, s.place) t`
    : source(sql, { ...others, ...(from && { from }) });
}

/** Excludes the microblocks on the tip, whose rows are one height above it. */
export const isConfirmed = (sql: Sql) => sql`t.height <= (select f.height from fold_position f)`;

/** The condition that transaction `t` of the source matches. */
export function conditions(sql: Sql, filter: TransactionFilter) {
  const { from, to, contract, functionName, nonce, startTime, endTime, outcome } = filter;
  const parts: Statement<unknown>[] = [sql`true`];
  // The first condition on the role is the predicate of the index.
  if (from)
    parts.push(
      sql`s.principal = ${keyOf(sql, from)} and s.role & ${constant(sql, signingRoles)} <> 0 and s.role & ${constant(sql, role.sender)} <> 0`,
    );
  if (to)
    parts.push(
      sql`t.target = ${keyOf(sql, to)} and t.target <> 0 and t.type = ${constant(sql, payloadIds.token_transfer)}`,
    );
  if (contract) {
    parts.push(
      sql`t.target = ${keyOf(sql, contract)} and t.target <> 0 and t.type = ${constant(sql, payloadIds.contract_call)}`,
    );
  }
  if (functionName !== undefined) {
    parts.push(sql`t.function = (select f.id from functions f where f.name = ${functionName}) and t.function <> 0`);
  }
  if (filter.payloadIds) parts.push(sql`t.type = any (${filter.payloadIds}::int[])`);
  if (nonce !== undefined) parts.push(sql`t.nonce = ${nonce}::int8`);
  if (outcome !== undefined) parts.push(hasOutcome(sql, outcome));
  parts.push(...inBlockRange(sql, { fromTime: startTime, toTime: endTime }, sql`t.height`));
  return parts.reduce((all, part) => sql`${all} and ${part}`);
}

/** The number of transactions in the time range of a filter; its other conditions are ignored. */
export async function countBetweenTimes(sql: Sql, { startTime, endTime }: TransactionFilter): Promise<number> {
  const first = startTime === undefined ? sql`0` : firstSince(sql, startTime);
  const last = endTime === undefined ? sql`(select f.height from fold_position f)` : lastUntil(sql, endTime);
  const [row] = await sql<{ total: number }[]>`
    select coalesce(
      (select b.tx_total from blocks b where b.height <= ${last} order by b.height desc limit 1)
        - coalesce((select b.tx_total from blocks b where b.height < coalesce(${first}, ${MAX_INT}) order by b.height desc limit 1), 0),
      0
    )::int as total
  `;
  return row?.total ?? 0;
}

/** Repeats the predicate of the index on failures literally, so that the planner can use it. */
export function hasOutcome(sql: Sql, outcome: KnownStatus | 'failed') {
  const success = constant(sql, statusCodes.success);
  if (outcome === 'failed') return sql`t.status <> ${success}`;
  if (outcome === 'success') return sql`t.status = ${success}`;
  return sql`t.status <> ${success} and t.status = ${statusCodes[outcome]}`;
}

const keyOf = (sql: Sql, principal: Uint8Array) => sql`(select p.id from principals p where p.name = ${principal})`;
