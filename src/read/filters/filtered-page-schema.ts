import type { HistoryPlace, HistoryStep } from './steps-queries.ts';

/** Said by every list with filters. */
export const aboutFilters = (most: number, rows: 'transactions' | 'transfers') =>
  `With a filter the list goes on to older pages only: \`total\` and \`cursor.previous\` are null. One request looks at up to ${most} ${rows} of ` +
  'the principal, so that a page may have fewer results than `limit`, or none; the list has ended where `cursor.next` is null.';

/** Said by every list of an older version that takes filters. */
export const aboutFilteredPages = (most: number, rows: string) =>
  `With a filter the list goes on with \`next_cursor\`: \`total\` and \`prev_cursor\` are null. One request looks at up to ${most} ${rows}, ` +
  'so that a page may have fewer results than `limit`, or none; the list has ended where `next_cursor` is null.';

type Rendering<Row, Result> = {
  cursorOf: (row: Row) => string;
  /** The cursor of the last row in a block. */
  endOf: (height: number) => string;
  render: (row: Row, index: number) => Result;
};

/** A page of what matches a filter, newest first: it is known what is older, not how many there are. */
export function renderFilteredStep<Row, Result>(
  { rows, next, following }: HistoryStep<Row>,
  limit: number,
  { cursorOf, endOf, render }: Rendering<Row, Result>,
) {
  const [first] = rows;
  return {
    total: null,
    limit,
    cursor: { next: nextOf(next), previous: null, current: first === undefined ? null : cursorOf(first) },
    results: rows.map(render),
  };

  function nextOf(place: HistoryPlace | undefined): string | null {
    if (place === undefined) return null;
    return following === undefined ? endOf(place.height) : cursorOf(following);
  }
}
