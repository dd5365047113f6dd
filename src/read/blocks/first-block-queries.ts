import { type OrderedRow, orderFirstBlock } from '../../compat/first-block-order.ts';
import type { Sql } from '../../db/client.ts';

/** Block 1 shows the transactions of block 0 as its own: the only block in which two may have the same index. */
export const firstHeight = 1;

/**
 * Positions of the transactions of block 1 as lists show them; `following` has the number of transactions of each block that
 * the same list shows after it.
 */
export async function listFirstPlaces(
  sql: Sql,
  order: 'asc' | 'desc',
  following: readonly number[] = [],
): Promise<number[]> {
  const rows = await sql<(OrderedRow & { genesis: boolean })[]>`
    select t.height, t.place, t.tx_index, x.name is not null as genesis
    from transactions t
    left join transaction_extras x on x.height = t.height and x.place = t.place and x.name = 'genesis'
    where t.height = ${firstHeight}
    order by t.place
  `;
  return orderFirstBlock(rows, firstHeight, order, following).map(row => row.place);
}
