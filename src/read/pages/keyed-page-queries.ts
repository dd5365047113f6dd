import { totalOfPage } from '../../compat/page-total.ts';

/** One page of a list that is read by its key, with the rows at which the pages around it start. */
type KeyedPage<Row> = { rows: Row[]; next: Row | undefined; previous: Row | undefined };

/** A page that is read by its key, with the number of all rows of the list. */
export type CountedPage<Row, Total extends number | null = number> = KeyedPage<Row> & { total: Total };

/** Rows as a list finds them: one that is `before` the page, the page, and one that follows it. */
export function keyedPage<Row extends { before: boolean }>(found: readonly Row[], limit: number): KeyedPage<Row> {
  const from = found.filter(row => !row.before);
  return { rows: from.slice(0, limit), next: from[limit], previous: found.find(row => row.before) };
}

/** Takes the total from the rows that carry it: an empty page has total 0, as the incumbent has. */
export const withTotal = <Row extends { total: number }>(page: KeyedPage<Row>): CountedPage<Row> => ({
  ...page,
  total: totalOfPage(page.rows),
});
