import { revisionAt } from '../../cache/revision.ts';
import { eventCodes } from '../../chain/event.ts';
import { assetRoles } from '../../chain/role.ts';
import { totalOfPage } from '../../compat/page-total.ts';
import { constant, type Sql } from '../../db/client.ts';
import {
  type EventRow,
  eventColumns,
  eventJoins,
  eventNames,
  type ListedEvent,
  listedEvent,
  sidedEvents,
} from '../events/events-queries.ts';
import { type Position, placesOf } from '../transactions/positions-queries.ts';
import type { TransactionKey } from '../transactions/transactions-queries.ts';
import {
  type Account,
  type AccountPage,
  accountAt,
  type Counted,
  countUpTo,
  highestHeight,
  isWithin,
  lowestHeight,
  type Page,
  readNearThenSearch,
  type SearchRange,
} from './transaction-pages-queries.ts';

type Fragment = ReturnType<typeof movingKinds>;

type CountedEvents = { total: number; rows: EventRow[] };

/** Moves and locks of what an account has, the newest first. An empty page has total 0, as the incumbent has. */
export async function listPrincipalEvents(sql: Sql, account: Account, page: Page): Promise<AccountPage<ListedEvent>> {
  const { limit, offset } = page;
  const read = (reach: SearchRange) => sql<Counted<ListedEvent>>`
    with recursive account as (
      ${accountAt(sql, account)}
    ), span as (
      select
        c.newest,
        c.newest as total,
        c.newest - ${offset}::int8 as upper,
        greatest(c.newest - ${offset}::int8 - ${limit}::int8, 0) as lower
      from (
        select ${countUpTo(sql, 'event_seq', sql`a.last`)} as newest
        from account a
        offset 0 -- counted once for all its uses
      ) c
    ), ${highestHeight(sql, 'event_seq', page)}, ${lowestHeight(sql, 'event_seq', page, reach)}, numbered as (
      select e.height, e.place, e.event_index,
        h.event_seq + 1 - row_number() over (partition by h.height, h.place order by e.event_index desc) as n
      from account a
      cross join span s
      join principal_transactions h on h.principal = a.id
        and ${isWithin(sql)}
        and h.event_seq > s.lower -- a transaction may hold hundreds of events
        and h.role & ${constant(sql, assetRoles)} <> 0
      join lateral ${sidedEvents(sql, sql`h.height`, sql`h.place`, sql`a.id`)} e on ${countedKinds(sql)}
    )
    select ${listedEvent(sql)}, s.total::int as total
    from span s
    left join numbered e on e.n > s.lower and e.n <= s.upper
    order by e.n desc
  `;
  return await readNearThenSearch(page, read);
}

/** A transaction of a list with the fee that its payer paid. */
type MovingKey = TransactionKey & { fee: bigint };

/** Transactions of an account, each with the kinds of its moves that the account had a side in, in their order. */
export async function listMoveKinds(
  sql: Sql,
  principal: Uint8Array,
  positions: readonly Position[],
): Promise<(MovingKey & { kinds: number[] })[]> {
  const rows = await sql<(MovingKey & { found: string | null })[]>`
    ${movedAt(sql, principal, positions, moveKinds(sql, sql`h`))}
  `;
  return rows.map(row => Object.assign(row, { kinds: row.found === null ? [] : row.found.split(',').map(Number) }));
}

/** Transactions of an account, each with its moves that the account had a side in, the last first. */
export async function listMoves(
  sql: Sql,
  principal: Uint8Array,
  positions: readonly Position[],
): Promise<(MovingKey & { moves: Move[] })[]> {
  const rows = await sql<(MovingKey & { found: ListedMoves })[]>`
    ${movedAt(sql, principal, positions, moveList(sql, sql`h`))}
  `;
  return rows.map(row => Object.assign(row, { moves: readMoves(row.found) }));
}

/** What was `found` for an account in some transactions, in their order. */
const movedAt = (sql: Sql, principal: Uint8Array, positions: readonly Position[], found: Fragment) => sql`
  select h.height, h.place, ${revisionAt(sql, sql`h.height`)} as version, t.fee, ${found} as found
  from (
    select w.height, w.place, w.n, p.id as principal
    from ${placesOf(sql, positions)} as w (height, place, n)
    join principals p on p.name = ${principal}
  ) h
  join transactions t on t.height = h.height and t.place = h.place
  order by h.n
`;

/** The kinds of the moves in the transaction of an account's history row, as a text parted by commas. */
const moveKinds = (sql: Sql, row: Fragment) => sql`(
  select string_agg(e.kind::text, ',')
  from ${movesIn(sql, row)} e
  where ${movingKinds(sql)}
)`;

/** What an asset did, without the place where. */
export type Move = Pick<EventRow, 'kind' | 'sender' | 'recipient' | 'contract' | 'asset_name' | 'amount' | 'value'>;

/** The moves themselves, the last first, for `readMoves`: of a whole page in one statement. */
export const moveList = (sql: Sql, row: Fragment) => sql`(
  select json_agg(
    json_build_object(
      'kind', e.kind, 'sender', encode(es.name, 'hex'), 'recipient', encode(er.name, 'hex'),
      'contract', encode(ec.name, 'hex'), 'asset_name', ea.name, 'amount', e.amount::text,
      'value', encode(e.value, 'hex')
    )
    order by e.event_index desc
  )
  from ${movesIn(sql, row)} e
  ${eventNames(sql)}
  where ${movingKinds(sql)}
)`;

/** What `moveList` found: bytes are hex in it, and it is null where nothing moved. */
export type ListedMoves = { [K in keyof Move]: Move[K] extends Buffer | null ? string | null : Move[K] }[] | null;

export const readMoves = (listed: ListedMoves): Move[] =>
  (listed ?? []).map(move => ({
    ...move,
    sender: bytesOf(move.sender),
    recipient: bytesOf(move.recipient),
    contract: bytesOf(move.contract),
    value: Buffer.from(move.value ?? '', 'hex'),
  }));

const bytesOf = (hex: string | null) => (hex === null ? null : Buffer.from(hex, 'hex'));

const movesIn = (sql: Sql, row: Fragment) =>
  sidedEvents(sql, sql`${row}.height`, sql`${row}.place`, sql`${row}.principal`);

/** Moves of one transaction that an account had a side in, ascending; undefined when there is no such transaction. */
export async function listMovesOf(
  sql: Sql,
  principal: Uint8Array,
  txId: Uint8Array,
  { limit, offset }: Page,
): Promise<CountedEvents | undefined> {
  const rows = await sql<(EventRow & { total: number | null })[]>`
    with found as (
      select t.height, t.place
      from transactions t
      where substring(t.tx_id from 1 for 7) = ${txId.subarray(0, 7)} and t.tx_id = ${txId}
    ), moves as (
      select e.height, e.place, e.event_index, e.kind, e.asset, e.sender, e.recipient, e.amount, e.value,
        count(*) over ()::int as total
      from found f
      join principals p on p.name = ${principal}
      join lateral ${sidedEvents(sql, sql`f.height`, sql`f.place`, sql`p.id`)} e on ${movingKinds(sql)}
      order by e.event_index
      limit ${limit}
      offset ${offset}
    ), shown as (
      select ${eventColumns(sql)}, e.total
      from moves e
      ${eventJoins(sql)}
    )
    select s.*
    from found f
    left join shown s on true
    order by s.event_index
  `;
  if (rows.length === 0) return undefined;
  const moves = rows.filter(row => row.total !== null);
  return { total: totalOfPage(moves), rows: moves };
}

/** Moves of STX and tokens. */
const movingKinds = (sql: Sql) =>
  sql`e.kind between ${constant(sql, eventCodes.stx_transfer)} and ${constant(sql, eventCodes.nft_burn)} and e.kind <> ${constant(sql, eventCodes.stx_lock)}`;

/** Moves of STX and tokens, and locks: what `event_seq` counts. */
const countedKinds = (sql: Sql) =>
  sql`e.kind between ${constant(sql, eventCodes.stx_transfer)} and ${constant(sql, eventCodes.nft_burn)}`;
