import { eventCodes } from '../../chain/event.ts';
import { constant, type Sql } from '../../db/client.ts';
import { type Position, placesOf } from '../../read/transactions/positions-queries.ts';

/** An event that moved, made, ended or locked STX. */
export type StxMovementRow = {
  height: number;
  place: number;
  event_index: number;
  kind: number;
  /** Compact principals; null where the event has no such side. */
  sender: Buffer | null;
  recipient: Buffer | null;
  amount: string;
  /** The memo of a transfer, the unlock height of a lock. */
  value: Buffer;
};

const columns = (sql: Sql) => sql`
  e.height, e.place, e.event_index, e.kind, s.name as sender, r.name as recipient, e.amount, e.value
`;

const joins = (sql: Sql) => sql`
  left join principals s on s.id = e.sender
  left join principals r on r.id = e.recipient
  where e.kind between ${constant(sql, eventCodes.stx_transfer)} and ${constant(sql, eventCodes.stx_lock)}
`;

/** The STX events of a block in order. */
export async function listBlockMovements(sql: Sql, height: number): Promise<StxMovementRow[]> {
  return await sql<StxMovementRow[]>`
    select ${columns(sql)}
    from events e
    ${joins(sql)} and e.height = ${height}
    order by e.place, e.event_index
  `;
}

/** The STX events of some transactions, each in order. */
export async function listMovementsAt(sql: Sql, positions: readonly Position[]): Promise<StxMovementRow[]> {
  return await sql<StxMovementRow[]>`
    select ${columns(sql)}
    from ${placesOf(sql, positions)} as w (height, place)
    join events e on e.height = w.height and e.place = w.place
    ${joins(sql)}
    order by e.height, e.place, e.event_index
  `;
}

/** A reward that a block pays out. */
export type MaturedRewardRow = { height: number; recipient: Buffer; amount: string };

/** Miner rewards that mature in some blocks, the last announced first. */
export async function listMaturedRewards(sql: Sql, heights: readonly number[]): Promise<MaturedRewardRow[]> {
  return await sql<MaturedRewardRow[]>`
    select r.height, p.name as recipient, r.coinbase + r.fees_anchored + r.fees_confirmed + r.fees_produced as amount
    from miner_rewards r
    join principals p on p.id = r.recipient
    where r.height = any (${heights as number[]}::int[])
    order by r.height, r.position desc
  `;
}
