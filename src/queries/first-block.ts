import type { Sql } from '../db/client.ts';
import { quicksort } from './quicksort.ts';

/** Block 1 shows the transactions of block 0 as its own: the only block in which two may have the same index. */
export const firstHeight = 1;

/**
 * Places of the transactions of block 1 as lists of one block show them. Clients have always seen those with the same
 * index as an unsteady sort left them, so that sort is repeated here.
 */
export async function listFirstPlaces(sql: Sql, order: 'asc' | 'desc'): Promise<number[]> {
  const rows = await sql<{ place: number; tx_index: number; genesis: boolean }[]>`
    select t.place, t.tx_index, x.name is not null as genesis
    from transactions t
    left join transaction_extras x on x.height = t.height and x.place = t.place and x.name = 'genesis'
    where t.height = ${firstHeight}
    order by t.place
  `;
  const genesis = rows.filter(row => row.genesis);
  const own = rows.filter(row => !row.genesis);
  if (genesis.length === 0) return (order === 'asc' ? rows : rows.reverse()).map(row => row.place);
  // What that sort began with: block 0, backwards for a rising list, then block 1.
  const sorted =
    order === 'asc'
      ? quicksort([...genesis.reverse(), ...own], (a, b) => a.tx_index - b.tx_index)
      : quicksort([...genesis, ...own], (a, b) => b.tx_index - a.tx_index);
  return sorted.map(row => row.place);
}
