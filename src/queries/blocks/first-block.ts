import { quicksort } from '../../compat/quicksort.ts';
import type { Sql } from '../../db/client.ts';

/** Block 1 shows the transactions of block 0 as its own: the only block in which two may have the same index. */
export const firstHeight = 1;

type FirstRow = { height: number; place: number; tx_index: number };

/**
 * Places of the transactions of block 1 as lists show them; `following` has the number of transactions of each block that
 * the same list shows after it. Clients have always seen those with the same index as an unsteady sort left them, so that
 * sort is repeated here.
 */
export async function listFirstPlaces(
  sql: Sql,
  order: 'asc' | 'desc',
  following: readonly number[] = [],
): Promise<number[]> {
  const rows = await sql<(FirstRow & { genesis: boolean })[]>`
    select t.height, t.place, t.tx_index, x.name is not null as genesis
    from transactions t
    left join transaction_extras x on x.height = t.height and x.place = t.place and x.name = 'genesis'
    where t.height = ${firstHeight}
    order by t.place
  `;
  const genesis = rows.filter(row => row.genesis);
  // What that sort began with: block 0, backwards but for a falling list of block 1 alone, block 1, the others backwards.
  const stored: FirstRow[] = [
    ...(order === 'desc' && following.length === 0 ? genesis : genesis.reverse()),
    ...rows.filter(row => !row.genesis),
    ...following.flatMap((count, i) => rowsBackwards(firstHeight + 1 + i, count)),
  ];
  const rising = (a: FirstRow, b: FirstRow) => a.height - b.height || a.tx_index - b.tx_index;
  const sorted = quicksort(stored, order === 'asc' ? rising : (a, b) => rising(b, a));
  return sorted.filter(row => row.height === firstHeight).map(row => row.place);
}

const rowsBackwards = (height: number, count: number): FirstRow[] =>
  Array.from({ length: count }, (_, i) => ({ height, place: count - 1 - i, tx_index: count - 1 - i }));
