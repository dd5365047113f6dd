import { revisionAt } from '../../cache/revision.ts';
import { namedState } from '../../cache/tip-queries.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import type { InterfaceStore } from '../contracts/interfaces-queries.ts';
import {
  type Transaction,
  type TransactionKey,
  type TransactionRow,
  transactionColumns,
  unanchoredJoins,
  withFunctions,
} from './transactions-queries.ts';

/** The position of a transaction in the chain. */
export type Position = { height: number; place: number };

/** Some places, to be named `(height, place)`, or `(height, place, n)` where their order counts. */
export const placesOf = (sql: Sql, positions: readonly Position[]) => sql`
  unnest(
    ${arrayLiteral(positions.map(position => position.height))}::int[],
    ${arrayLiteral(positions.map(position => position.place))}::smallint[]
  ) with ordinality
`;

/** The transactions at some places, in the order of the places. */
export async function listTransactionsAt(
  sql: Sql,
  positions: readonly Position[],
  interfaces: InterfaceStore | undefined,
): Promise<(Transaction & TransactionKey)[]> {
  if (positions.length === 0) return [];
  const rows = await sql<(TransactionRow & TransactionKey)[]>`
    select ${transactionColumns(sql)}, ${revisionAt(sql, sql`t.height`)} as version,
      ${namedState(sql)}
    from ${placesOf(sql, positions)} as w (height, place, n)
    join transactions t on t.height = w.height and t.place = w.place
    ${unanchoredJoins(sql)}
    order by w.n
  `;
  // Adding the interfaces of called contracts keeps every other column.
  return (await withFunctions(sql, rows, interfaces)) as (Transaction & TransactionKey)[];
}
