import { eventCodes } from '../chain/event.ts';
import { arrayLiteral, constant, type Sql } from '../db/client.ts';
import { type EventRow, eventColumns, eventJoins } from '../read/events/events-queries.ts';
import type { Involvement } from '../read/principals/transactions-queries.ts';
import { type Position, placesOf } from '../read/transactions/positions-queries.ts';

/** A transaction of a block as it touched an account. */
export type Touch = Position & Omit<Involvement, 'fee'> & { name: Buffer };

/** Names looked up by one statement. */
const NAMES_AT_ONCE = 2_000;

/** How the transactions at a height touched those of some accounts that they touched. */
export async function listTouches(sql: Sql, height: number, names: readonly Uint8Array[]): Promise<Touch[]> {
  return await inParts(
    names,
    part => sql<Touch[]>`
      select p.name, h.height, h.place, h.role, h.sent, h.received
      from principals p
      join principal_transactions h on h.principal = p.id and h.height = ${height}
      where p.name = any (${arrayLiteral(part)}::bytea[])
    `,
  );
}

/** Those of some accounts whose STX changed at a height, with or without a transaction. */
export async function listChangedAccounts(
  sql: Sql,
  height: number,
  names: readonly Uint8Array[],
): Promise<{ name: Buffer }[]> {
  return await inParts(
    names,
    part => sql<{ name: Buffer }[]>`
      select p.name
      from principals p
      join stx_balances b on b.principal = p.id and b.height = ${height}
      where p.name = any (${arrayLiteral(part)}::bytea[])
    `,
  );
}

/** Moves of STX in some transactions, the last of each first. */
export async function listStxMoves(sql: Sql, positions: readonly Position[]): Promise<EventRow[]> {
  if (positions.length === 0) return [];
  return await sql<EventRow[]>`
    select ${eventColumns(sql)}
    from ${placesOf(sql, positions)} as w (height, place)
    join events e on e.height = w.height and e.place = w.place
      and e.kind between ${constant(sql, eventCodes.stx_transfer)} and ${constant(sql, eventCodes.stx_burn)}
    ${eventJoins(sql)}
    order by e.height desc, e.place desc, e.event_index desc
  `;
}

async function inParts<T>(
  names: readonly Uint8Array[],
  read: (part: readonly Uint8Array[]) => Promise<T[]>,
): Promise<T[]> {
  const found: T[] = [];
  for (let i = 0; i < names.length; i += NAMES_AT_ONCE) found.push(...(await read(names.slice(i, i + NAMES_AT_ONCE))));
  return found;
}
