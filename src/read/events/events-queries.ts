import { revisionAt } from '../../cache/revision.ts';
import { namedState } from '../../cache/tip-queries.ts';
import { eventCodes } from '../../chain/event.ts';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';

/** An event with the names behind its keys. */
export type EventRow = {
  height: number;
  place: number;
  event_index: number;
  kind: number;
  tx_id: Buffer;
  /** Compact principals; null where the event has no such side. */
  sender: Buffer | null;
  recipient: Buffer | null;
  /** The contract of the asset, or the one that printed or locked. */
  contract: Buffer | null;
  asset_name: string | null;
  amount: string;
  value: Buffer;
};

/** An event of a list: its position, and the revision at which it was read. */
export type ListedEvent = {
  height: number;
  place: number;
  event_index: number;
  /** Null while no block has confirmed its transaction. */
  version: string | null;
};

/** `ListedEvent` of an event `e`. */
export const listedEvent = (sql: Sql) => sql`
  e.height, e.place, e.event_index, ${revisionAt(sql, sql`e.height`)} as version
`;

/** Where an event is. */
type EventPlace = Pick<EventRow, 'height' | 'place' | 'event_index'>;

/** The place of an event as one text. */
export const eventKey = ({ height, place, event_index }: EventPlace): string => `${height} ${place} ${event_index}`;

/** The places of some events, to be named `(height, place, event_index, n)`. */
export const eventPlacesOf = (sql: Sql, listed: readonly EventPlace[]) => sql`
  unnest(
    ${arrayLiteral(listed.map(event => event.height))}::int[],
    ${arrayLiteral(listed.map(event => event.place))}::smallint[],
    ${arrayLiteral(listed.map(event => event.event_index))}::int[]
  ) with ordinality
`;

/** The events at some places, in the order of the places. */
export async function listEventsAt(
  sql: Sql,
  listed: readonly ListedEvent[],
): Promise<(EventRow & { version: string | null })[]> {
  return await sql<(EventRow & { version: string | null })[]>`
    select ${eventColumns(sql)}, ${revisionAt(sql, sql`e.height`)} as version, ${namedState(sql)}
    from ${eventPlacesOf(sql, listed)} as w (height, place, event_index, n)
    join events e on e.height = w.height and e.place = w.place and e.event_index = w.event_index
    ${eventJoins(sql)}
    order by w.n
  `;
}

/** What `renderEvent` needs of an event `e` and its transaction `t`. */
export const eventColumns = (sql: Sql) => sql`
  e.height, e.place, e.event_index, e.kind, t.tx_id, es.name as sender, er.name as recipient, ec.name as contract,
  ea.name as asset_name, e.amount, e.value
`;

/** Gives an event `e` its transaction `t` and its names. */
export const eventJoins = (sql: Sql) => sql`
  join transactions t on t.height = e.height and t.place = e.place
  ${eventNames(sql)}
`;

/** Its names alone. */
export const eventNames = (sql: Sql) => sql`
  left join assets ea on ea.id = e.asset and e.kind between ${constant(sql, eventCodes.ft_transfer)} and ${constant(sql, eventCodes.nft_burn)}
  left join principals ec on ec.id = coalesce(ea.contract, e.asset)
  left join principals es on es.id = e.sender
  left join principals er on er.id = e.recipient
`;

type Fragment = ReturnType<typeof eventColumns>;

/**
 * Events of a transaction in which a principal had a side; to be joined laterally. In block 1 by the principal: its first
 * transaction holds an event for each account that the chain began with.
 */
export const sidedEvents = (sql: Sql, height: Fragment, place: Fragment, principal: Fragment) => sql`(
  select s.*
  from events s
  where ${height} > 1 and s.height = ${height} and s.place = ${place}
    and (s.sender = ${principal} or s.recipient = ${principal})
  union all
  select s.*
  from events s
  where ${height} = 1 and s.height = 1 and s.place = ${place} and s.recipient = ${principal}
  union all
  select s.*
  from events s
  where ${height} = 1 and s.height = 1 and s.place = ${place} and s.sender <> 0 and s.sender = ${principal}
    and s.recipient <> ${principal}
)`;

/** Events that have a public shape. */
export const publicEvents = (sql: Sql) => sql`e.kind <> ${constant(sql, eventCodes.unknown)}`;

/** An event in the JSON of `eventsColumn`: bytes are hex. */
export type EventJson = [
  index: number,
  kind: number,
  sender: string | null,
  recipient: string | null,
  contract: string | null,
  assetName: string | null,
  amount: string,
  value: string,
];

/** The events of transaction `t` whose index lies in the range, in order, as one column; null if there are none. */
export function eventsColumn(sql: Sql, { offset, limit }: { offset: number; limit: number }) {
  if (limit === 0) return sql`null`;
  const hex = (column: string) => sql`encode(${sql.unsafe(column)}, 'hex')`;
  // In block 1 by the index of its own: its first transaction holds an event for each account that the chain began with.
  const inRange = sql`
    e.place = t.place and e.event_index >= ${offset}::int8 and e.event_index < ${offset}::int8 + ${limit}::int8
  `;
  return sql`
    case when t.event_count > 0 then (
      select json_agg(
        json_build_array(
          e.event_index, e.kind, ${hex('es.name')}, ${hex('er.name')}, ${hex('ec.name')}, ea.name, e.amount::text, ${hex('e.value')}
        )
        order by e.event_index
      )
      from (
        select e.* from events e where t.height > 1 and e.height = t.height and ${inRange}
        union all
        select e.* from events e where t.height = 1 and e.height = 1 and ${inRange}
      ) e
      ${eventNames(sql)}
      where ${publicEvents(sql)}
    ) end
  `;
}

/** The events that `eventsColumn` has for a transaction. */
export function readEvents(
  { height, place, tx_id }: Pick<EventRow, 'height' | 'place' | 'tx_id'>,
  events: readonly EventJson[] | null,
): EventRow[] {
  const bytes = (hex: string | null) => (hex === null ? null : Buffer.from(hex, 'hex'));
  return (events ?? []).map(([event_index, kind, sender, recipient, contract, asset_name, amount, value]) => ({
    height,
    place,
    event_index,
    kind,
    tx_id,
    sender: bytes(sender),
    recipient: bytes(recipient),
    contract: bytes(contract),
    asset_name,
    amount,
    value: Buffer.from(value, 'hex'),
  }));
}
