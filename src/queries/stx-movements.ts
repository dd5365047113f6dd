import { eventCodes } from '../chain/event.ts';
import type { Sql } from '../db/client.ts';

/** An event of a block that moved, made, ended or locked STX. */
export type StxMovementRow = {
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

/** The STX events of a block, or of one of its transactions, in order. */
export async function listStxMovements(sql: Sql, height: number, place?: number): Promise<StxMovementRow[]> {
  return await sql<StxMovementRow[]>`
    select e.place, e.event_index, e.kind, s.name as sender, r.name as recipient, e.amount, e.value
    from events e
    left join principals s on s.id = e.sender
    left join principals r on r.id = e.recipient
    where e.height = ${height} and e.kind between ${eventCodes.stx_transfer} and ${eventCodes.stx_lock}
      ${place === undefined ? sql`` : sql`and e.place = ${place}`}
    order by e.place, e.event_index
  `;
}

/** A reward that a block pays out. */
export type MaturedRewardRow = { recipient: Buffer; amount: string };

/** What matures in a block, the last told first. */
export async function listMaturedRewards(sql: Sql, height: number): Promise<MaturedRewardRow[]> {
  return await sql<MaturedRewardRow[]>`
    select p.name as recipient, r.coinbase + r.fees_anchored + r.fees_confirmed + r.fees_produced as amount
    from miner_rewards r
    join principals p on p.id = r.recipient
    where r.height = ${height}
    order by r.position desc
  `;
}
