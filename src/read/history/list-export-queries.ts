import { eventCodes, ftMoves, nftMoves } from '../../chain/event.ts';
import { type KnownStatus, otherStatus } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { blockTime } from '../blocks/block-time-queries.ts';
import { eventNames } from '../events/events-queries.ts';
import type { EventHistoryFilter } from '../filters/filter.ts';
import { eventMatches, isInPlace } from '../filters/filter-queries.ts';
import { blockOf, type HistoryPlace, isNear } from '../filters/steps-queries.ts';
import type { BlockRange } from '../pages/block-range-params.ts';
import type { AssetName } from '../tokens/nfts-queries.ts';
import { hasOutcome } from '../transactions/filter-queries.ts';
import { extrasOf } from '../transactions/transactions-queries.ts';

type Fragment = Statement<unknown>;
type Placed = { height: number; place: number; event_index: number; time: number };

export type ListedTransactionRow = Placed & {
  tx_id: Buffer;
  type: number;
  status: number;
  extras: Record<string, string> | null;
  sender: Buffer;
  nonce: bigint;
  /** Micro-STX. */
  fee: bigint;
  target: Buffer | null;
  function: string | null;
};

export type ListedEventRow = Placed & {
  kind: number;
  /** Null for a reward. */
  tx_id: Buffer | null;
  sender: Buffer | null;
  recipient: Buffer | null;
  contract: Buffer | null;
  asset_name: string | null;
  amount: string;
  value: Buffer;
};

/** Where a step begins, the last block of the list, and how many rows the step looks at. */
export type ListStep = { after: HistoryPlace; upTo: number; most: number };

/** What a step found, and the place that the next one comes after. */
export type FoundStep<Row> = { rows: Row[]; next: HistoryPlace | undefined };

/** The step ends with the row `n` = most; what it looked at and did not match has no columns. */
type Looked<Row> = ({ n: number } & Row)[];

/** Transactions of the chain in a range of blocks, oldest first; of one outcome if one is named. */
export async function listTransactionsAfter(
  sql: Sql,
  { range, outcome }: { range: BlockRange; outcome?: KnownStatus | 'failed' | undefined },
  { after, upTo, most }: ListStep,
): Promise<FoundStep<ListedTransactionRow>> {
  const rows = await sql<Looked<ListedTransactionRow>>`
    with looked as materialized (
      select t.height, t.place, 0 as event_index
      from transactions t
      where (t.height, t.place) > (${after.height}::int, ${after.place}::smallint) and t.height <= ${upTo}::int
        and ${isNear(sql, range, sql`t.height`)}
      order by t.height, t.place
      limit ${most}
    ), numbered as (
      select l.*, row_number() over (order by l.height, l.place)::int as n
      from looked l
    ), shown as (
      select h.n, ${blockTime(sql)} as time, t.tx_id, t.type, t.status, s.name as sender, t.nonce, t.fee, g.name as target,
        f.name as function, case when t.status = ${constant(sql, otherStatus)} then ${extrasOf(sql)} end as extras
      from numbered h
      join transactions t on t.height = h.height and t.place = h.place
      join blocks b on b.height = h.height
      join principals s on s.id = t.sender
      left join principals g on g.id = t.target and t.target <> 0
      left join functions f on f.id = t.function and t.function <> 0
      where ${isInPlace(sql, { range, kinds: [] }, sql`h.height`)}
        ${outcome === undefined ? sql`` : sql`and ${hasOutcome(sql, outcome)}`}
    )
    select k.height, k.place, k.event_index, k.n, s.time, s.tx_id, s.type, s.status, s.sender, s.nonce, s.fee, s.target, s.function, s.extras
    from numbered k
    left join shown s on s.n = k.n
    where s.n is not null or k.n = ${most}
    order by k.n
  `;
  return endStep(rows, most);
}

/** Which events: all of the chain, the moves of a token, or what a contract printed. */
export type EventSource = 'chain' | { asset: AssetName } | { printedBy: Uint8Array };

/** Events that match a filter, oldest first. */
export async function listEventsAfter(
  sql: Sql,
  source: EventSource,
  filter: EventHistoryFilter,
  { after, upTo, most }: ListStep,
): Promise<FoundStep<ListedEventRow>> {
  const part = (condition: Fragment) => sql`(
    select e.height, e.place, e.event_index, e.kind, e.asset, e.sender, e.recipient, e.amount, e.value
    from events e
    where ${condition} and (e.height, e.place) >= (${after.height}::int, ${after.place}::smallint)
      and (e.height, e.place, e.event_index) > (${after.height}::int, ${after.place}::smallint, ${after.eventIndex}::int)
      and e.height <= ${upTo}::int and ${isNear(sql, filter.range, sql`e.height`)}
    order by e.height, e.place, e.event_index
    limit ${most}
  )`;
  const parts = conditionsOf(sql, source).map(part);
  const rows = await sql<Looked<ListedEventRow>>`
    with looked as materialized (
      select e.*, row_number() over (order by e.height, e.place, e.event_index)::int as n
      from (${parts.reduce((all, each) => sql`${all} union all ${each}`)}) e
      order by e.height, e.place, e.event_index
      limit ${most}
    ), page as materialized (
      select e.*
      from looked e
      ${filter.functionName === undefined ? sql`` : calledBy(sql)}
      ${blockOf(sql, filter.range, sql`e`)}
      where ${eventMatches(sql, filter)} and ${isInPlace(sql, filter, sql`e.height`)}
    ), shown as (
      select e.n, e.kind, ${blockTime(sql)} as time, t.tx_id, es.name as sender, er.name as recipient, ec.name as contract,
        ea.name as asset_name, e.amount, e.value
      from page e
      join blocks b on b.height = e.height
      join transactions t on t.height = e.height and t.place = e.place
      ${eventNames(sql)}
    )
    select k.height, k.place, k.event_index, k.n, s.kind, s.time, s.tx_id, s.sender, s.recipient, s.contract, s.asset_name, s.amount, s.value
    from looked k
    left join shown s on s.n = k.n
    where s.n is not null or k.n = ${most}
    order by k.n
  `;
  return endStep(rows, most);
}

/** The transaction `t` of an event, looked up for each: the planner would rather begin with all calls of the function. */
const calledBy = (sql: Sql) => sql`
  cross join lateral (
    select t.function
    from transactions t
    where t.height = e.height and t.place = e.place
    offset 0
  ) t
`;

/** The conditions of the partial indexes that have the events of a source. */
function conditionsOf(sql: Sql, source: EventSource): Fragment[] {
  if (source === 'chain') return [sql`true`];
  if ('printedBy' in source) {
    return [
      sql`e.kind = ${constant(sql, eventCodes.print)} and e.asset = (
        select p.id from principals p where p.name = ${source.printedBy}
      )`,
    ];
  }
  const { contract, name } = source.asset;
  const asset = sql`(
    select a.id
    from principals c
    join assets a on a.contract = c.id and a.name = ${name}
    where c.name = ${contract}
  )`;
  return [ftMoves, nftMoves].map(kinds => sql`e.kind in (${constant(sql, ...kinds)}) and e.asset = ${asset}`);
}

/** The rows that matched; a step that looked at fewer rows than it may was the last one. */
function endStep<Row extends Placed & { tx_id: Buffer | null }>(rows: Looked<Row>, most: number): FoundStep<Row> {
  const found = rows.filter(row => row.tx_id !== null);
  const last = rows.at(-1);
  if (last?.n !== most) return { rows: found, next: undefined };
  const { height, place, event_index: eventIndex } = last;
  return { rows: found, next: { height, place, eventIndex } };
}
