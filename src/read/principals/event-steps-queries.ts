import { eventCodes } from '../../chain/event.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { sidedEvents } from '../events/events-queries.ts';
import { rolesOfKinds } from '../events/pages-queries.ts';
import { type EventHistoryFilter, feeCode, rewardCode } from '../filters/filter.ts';
import { eventMatches, isInPlace } from '../filters/filter-queries.ts';
import {
  blockOf,
  type Direction,
  endStep,
  type HistoryStep,
  isBeyondStart,
  isNear,
  orderOf,
  principalSubject,
  printSource,
  rewardSource,
  type StepSource,
  stepOf,
  transactionOf,
  transactionSource,
} from '../filters/steps-queries.ts';
import { paysFee } from './summaries-queries.ts';

type Fragment = Statement<unknown>;

export type EventStepRequest = {
  principal: Uint8Array;
  direction: Direction;
  start: Fragment;
  upTo?: number | undefined;
  filter: EventHistoryFilter;
  limit: number;
  /** Transactions, prints and rewards of the account that the step looks at. */
  most: number;
};

type EventPlaceRow = { height: number; place: number; event_index: number };

/**
 * Events of an account that match a filter: those that moved its assets or locked its STX and, for a contract, what it printed. Where the
 * filter names their codes, fees that it paid and rewards for mining are rows too. `columns` and `joins` add to the event `e`.
 */
export async function listEventStep<Row>(
  sql: Sql,
  request: EventStepRequest,
  { columns, joins }: { columns: Fragment; joins: Fragment },
): Promise<HistoryStep<Row & EventPlaceRow>> {
  type Found = Row & EventPlaceRow;
  const { direction, filter, limit } = request;
  const order = orderOf(sql, direction);
  const parts = partsOf(request);
  const union = parts.map(part => part.rows(sql, request)).reduce((all, part) => sql`${all} union all ${part}`);
  const sources = parts.map(part => part.source(sql));
  const rows = await sql<({ edge: number | null } & (Found | { height: null }))[]>`
    with ${stepOf(sql, { ...request, subject: principalSubject(sql, request.principal), range: filter.range, sources })},
    looked as materialized (
      select h.height, h.place, h.role
      from step x
      join principal_transactions h on h.principal = x.id and h.height between x.low and x.high
      where ${isNear(sql, filter.range, sql`h.height`)}
    ), page as (
      select e.*
      from (${union}) e
      where ${eventMatches(sql, filter)}
      order by e.height ${order}, e.place ${order}, e.event_index ${order}
      limit ${limit + 1}
    ), shown as (
      select e.height, e.place::int as place, e.event_index, ${columns}
      from page e
      ${joins}
    )
    select x.edge, s.*
    from step x
    left join shown s on true
    order by s.height ${order}, s.place ${order}, s.event_index ${order}
  `;
  return endStep<Found>(rows, limit, direction);
}

type Part = { source: (sql: Sql) => StepSource; rows: (sql: Sql, request: EventStepRequest) => Fragment };

/** The parts of a history that can have what a filter asks for; at least one. */
function partsOf({ filter: { kinds, functionName } }: EventStepRequest): Part[] {
  const parts: Part[] = [];
  if (kinds.includes(eventCodes.print)) parts.push({ source: printSource, rows: printed });
  if (kinds.includes(rewardCode) && functionName === undefined) {
    parts.push({ source: rewardSource, rows: rewards });
  }
  if (kinds.includes(feeCode)) parts.push({ source: transactionSource, rows: fees });
  if (rolesOfKinds(kinds) !== 0 || parts.length === 0) parts.push({ source: transactionSource, rows: moved });
  return parts;
}

const columnsOf = (sql: Sql) =>
  sql`e.height, e.place, e.event_index, e.kind, e.asset, e.sender, e.recipient, e.amount, e.value`;

/** The transaction of a row, if a filter asks for its function. */
const calledOf = (sql: Sql, { functionName }: EventHistoryFilter, row: Fragment) =>
  functionName === undefined ? sql`` : transactionOf(sql, row);

const moved = (sql: Sql, { filter, direction }: EventStepRequest) => sql`
  select ${columnsOf(sql)}
  from step x
  cross join looked h
  ${calledOf(sql, filter, sql`h`)}
  ${blockOf(sql, filter.range, sql`h`)}
  cross join lateral ${sidedEvents(sql, sql`h.height`, sql`h.place`, sql`x.id`)} e
  where h.role & ${rolesOfKinds(filter.kinds)}::int <> 0 and e.kind <> ${constant(sql, eventCodes.print)}
    and ${isInPlace(sql, filter, sql`h.height`)}
    and ${isBeyondStart(sql, direction, sql`e.height, e.place::int, e.event_index`)}
`;

const printed = (sql: Sql, { filter, direction }: EventStepRequest) => sql`
  select ${columnsOf(sql)}
  from step x
  join events e on e.asset = x.id and e.kind = ${constant(sql, eventCodes.print)} and e.height between x.low and x.high
  ${calledOf(sql, filter, sql`e`)}
  ${blockOf(sql, filter.range, sql`e`)}
  where ${isInPlace(sql, filter, sql`e.height`)}
    and ${isBeyondStart(sql, direction, sql`e.height, e.place::int, e.event_index`)}
`;

/** Before the events of their transaction. */
const fees = (sql: Sql, { filter, direction }: EventStepRequest) => sql`
  select h.height, h.place, -1 as event_index, ${constant(sql, feeCode)}::int2 as kind, 0 as asset, x.id as sender,
    0 as recipient, t.fee::numeric as amount, ''::bytea as value
  from step x
  cross join looked h
  ${transactionOf(sql, sql`h`)}
  ${blockOf(sql, filter.range, sql`h`)}
  where t.fee > 0 and ${paysFee(sql, sql`h`)} and ${isInPlace(sql, filter, sql`h.height`)}
    and ${isBeyondStart(sql, direction, sql`h.height, h.place::int, -1`)}
`;

/** Behind the transactions of their block. */
const rewards = (sql: Sql, { filter, direction }: EventStepRequest) => sql`
  select r.height, 32767::int2 as place, r.position::int as event_index, ${constant(sql, rewardCode)}::int2 as kind, 0 as asset,
    0 as sender, r.recipient, r.coinbase + r.fees_anchored + r.fees_confirmed + r.fees_produced as amount, ''::bytea as value
  from step x
  join miner_rewards r on r.recipient = x.id and r.height between x.low and x.high
  ${blockOf(sql, filter.range, sql`r`)}
  where r.coinbase + r.fees_anchored + r.fees_confirmed + r.fees_produced > 0
    and ${isInPlace(sql, filter, sql`r.height`)}
    and ${isBeyondStart(sql, direction, sql`r.height, 32767, r.position::int`)}
`;
