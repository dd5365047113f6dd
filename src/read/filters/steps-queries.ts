import { eventCodes } from '../../chain/event.ts';
import { signingRoles } from '../../chain/role.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import type { BlockRange } from '../pages/block-range-params.ts';
import { isTimed, nearBlockRange } from '../pages/block-range-queries.ts';

type Fragment = Statement<unknown>;

/** A place in the chain: a transaction of a block, and one of its events. */
export type HistoryPlace = { height: number; place: number; eventIndex: number };

/** Above every transaction of a block and every event. */
const lastPlace = 32_767;
const lastIndex = 2_147_483_647;

/** Newest first, a history goes on from a place with what is there; oldest first, with what follows it. */
export type Direction = 'newest' | 'oldest';

export const orderOf = (sql: Sql, direction: Direction) => (direction === 'newest' ? sql`desc` : sql`asc`);

/** What a step of a history looks at. */
export type StepRequest = {
  /** A query of one row with the `id` by which the sources find their rows. */
  subject: Fragment;
  direction: Direction;
  /** A query of one row with `height`, `place` and `event_index`. */
  start: Fragment;
  /** The last block to read; the tip without it. */
  upTo?: number | undefined;
  range: BlockRange;
  /** How many rows of each source are looked at, and the rest of the last one's block. */
  most: number;
  sources: readonly StepSource[];
};

/** Rows `r` of the subject `w` that an index finds by height. */
export type StepSource = { table: Fragment; where: Fragment };

/** An account or a contract as the subject. */
export const principalSubject = (sql: Sql, principal: Uint8Array): Fragment =>
  sql`select p.id from principals p where p.name = ${principal}`;

/** The transactions of the account. */
export const transactionSource = (sql: Sql): StepSource => ({
  table: sql`principal_transactions`,
  where: sql`r.principal = w.id`,
});

/** Those that it signed. */
export const signedSource = (sql: Sql): StepSource => ({
  table: sql`principal_transactions`,
  where: sql`r.principal = w.id and r.role & ${constant(sql, signingRoles)} <> 0`,
});

/** What it printed. */
export const printSource = (sql: Sql): StepSource => ({
  table: sql`events`,
  where: sql`r.asset = w.id and r.kind = ${constant(sql, eventCodes.print)}`,
});

/** Its rewards for mining. */
export const rewardSource = (sql: Sql): StepSource => ({
  table: sql`miner_rewards`,
  where: sql`r.recipient = w.id`,
});

/**
 * `step (id, height, place, event_index, edge, low, high)`: the subject and the blocks of one step. No index has what a filter
 * asks for: a step looks at so many rows and ends with the block `edge`, or with the history where that is null.
 */
export function stepOf(sql: Sql, request: StepRequest): Fragment {
  const { subject, direction, start, upTo, sources } = request;
  const newest = direction === 'newest';
  const edges = sources.map(source => edgeOf(sql, request, source)).reduce((before, edge) => sql`${before}, ${edge}`);
  return sql`
    who as materialized (
      select p.id, ${upTo === undefined ? sql`f.height` : sql`least(f.height, ${upTo}::int)`} as last
      from (${subject}) p
      cross join fold_position f
    ), start as materialized (
      ${start}
    ), step as materialized (
      select w.id, s.height, s.place, s.event_index, n.edge,
        ${newest ? sql`coalesce(n.edge, 0)` : sql`s.height`} as low,
        ${newest ? sql`least(s.height, w.last)` : sql`coalesce(n.edge, w.last)`} as high
      from who w
      cross join start s
      cross join lateral (select ${newest ? sql`greatest` : sql`least`}(${edges}) as edge) n
    )
  `;
}

/** The block of the row after the newest or oldest `most` ones, by an index alone. */
function edgeOf(sql: Sql, { direction, range, most }: StepRequest, { table, where }: StepSource): Fragment {
  return sql`(
    select r.height
    from ${table} r
    where ${where} and r.height ${direction === 'newest' ? sql`<` : sql`>`} s.height and r.height <= w.last and ${isNear(sql, range, sql`r.height`)}
    order by r.height ${orderOf(sql, direction)}
    limit 1
    offset ${most}
  )`;
}

/** The condition that a height may be in a range, for which no block has to be looked at. */
export const isNear = (sql: Sql, range: BlockRange, height: Fragment): Fragment =>
  nearBlockRange(sql, range, height).reduce((all, part) => sql`${all} and ${part}`, sql`true`);

/** The transaction `t` of a row. Looked up for each row: the planner would rather begin with what matches in the whole chain. */
export const transactionOf = (sql: Sql, row: Fragment): Fragment => sql`
  cross join lateral (
    select t.sender, t.sponsor, t.target, t.function, t.type, t.status, t.fee, t.nonce, t.height
    from transactions t
    where t.height = ${row}.height and t.place = ${row}.place
    offset 0
  ) t
`;

/** The block `b` of a row, if a range asks for its time. */
export const blockOf = (sql: Sql, range: BlockRange, row: Fragment): Fragment =>
  isTimed(range)
    ? sql`cross join lateral (select b.burn_time from blocks b where b.height = ${row}.height offset 0) b`
    : sql``;

/** The condition that a row is beyond the start of the step `x`. */
export function isBeyondStart(sql: Sql, direction: Direction, place: Fragment): Fragment {
  return sql`(${place}) ${direction === 'newest' ? sql`<=` : sql`>`} (x.height, x.place::int, x.event_index)`;
}

/** The page that a step found, and where the next one starts; none at the end of the history. */
export type HistoryStep<Row> = {
  rows: Row[];
  next: HistoryPlace | undefined;
  /** Newest first, the row at `next`; undefined where no row is known to be there. */
  following?: Row | undefined;
};

type StepRow = { height: number; place: number; event_index: number };

/** Of at most `limit + 1` rows, in their order. */
export function endStep<Row extends StepRow>(
  found: readonly ({ edge: number | null } & (Row | { height: null }))[],
  limit: number,
  direction: Direction,
): HistoryStep<Row> {
  const listed = found.filter((row): row is { edge: number | null } & Row => row.height !== null);
  const rows = listed.slice(0, limit);
  const following = direction === 'newest' ? listed[limit] : listed.length > limit ? rows.at(-1) : undefined;
  if (following) {
    const { height, place, event_index: eventIndex } = following;
    return { rows, next: { height, place, eventIndex }, following };
  }
  const edge = found[0]?.edge ?? undefined;
  if (edge === undefined) return { rows, next: undefined };
  const height = direction === 'newest' ? edge - 1 : edge;
  return { rows, next: { height, place: lastPlace, eventIndex: lastIndex } };
}

/** The start at a place. */
export const startAt = (sql: Sql, { height, place, eventIndex }: HistoryPlace) =>
  sql`select ${height}::int as height, ${place}::int as place, ${eventIndex}::int as event_index`;

/** Before everything, or behind it. */
export const outermost: Record<Direction, HistoryPlace> = {
  newest: { height: lastIndex, place: lastPlace, eventIndex: lastIndex },
  oldest: { height: -1, place: lastPlace, eventIndex: lastIndex },
};
