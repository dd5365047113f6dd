import { type TSchema, Type } from 'typebox';
import type { CountedPage } from './keyed-page-queries.ts';

const Cursor = Type.Union([Type.String(), Type.Null()]);

const Total = Type.Integer({ description: 'Number of results of all pages.' });

/** Of a list that takes filters: what matches them is not counted. */
const FilteredTotal = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Number of results of all pages; null with a filter.',
});

/** The rows that a list with filters counts at most. */
export const mostCounted = 10_000;

/** Of a list that takes filters: what matches them is counted up to a bound. */
const BoundedTotal = Type.Union([Type.Integer(), Type.Null()], {
  description: `Number of results of all pages; null if a filter leaves more than ${mostCounted}, or they would cost too much to count.`,
});

/** One page of a list that is paged by cursors; each names the first row of a page. */
export const CursorList = <T extends TSchema>(row: T, title: string) => listOf(Total, row, title);

/** One page of a list that takes filters. */
export const FilteredCursorList = <T extends TSchema>(row: T, title: string) => listOf(FilteredTotal, row, title);

/** The same of a list that takes filters and counts what is cheap to count. */
export const BoundedCursorList = <T extends TSchema>(row: T, title: string) => listOf(BoundedTotal, row, title);

const listOf = <N extends TSchema, T extends TSchema>(total: N, row: T, title: string) =>
  Type.Object(
    {
      total,
      limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
      cursor: Type.Object(
        { next: Cursor, previous: Cursor, current: Cursor },
        {
          title: 'Cursors',
          description:
            'Cursors to pass as `cursor`. `next` is null on the last page, `previous` on the first; all are null for an empty page.',
        },
      ),
      results: Type.Array(row),
    },
    { title },
  );

export const cursorQuery = (defaultLimit: number, maxLimit: number, pattern: string) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxLimit,
      default: defaultLimit,
      description: 'Maximum number of results to return.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      pattern,
      description:
        'Start of the page: a value of `cursor` from an earlier response. Without it the first page is returned.',
    }),
  ),
});

type Rendering<Row, Result> = { cursorOf: (row: Row) => string; render: (row: Row, index: number) => Result };

/** A page of a list that was read by its key; without rows it has no cursors. */
export function renderKeyedPage<Row, Result, Total extends number | null>(
  { total, rows, next, previous }: CountedPage<Row, Total>,
  limit: number,
  { cursorOf, render }: Rendering<Row, Result>,
) {
  const named = (row: Row | undefined) => (rows.length === 0 || row === undefined ? null : cursorOf(row));
  return {
    total,
    limit,
    cursor: { next: named(next), previous: named(previous), current: named(rows[0]) },
    results: rows.map(render),
  };
}

/**
 * Cuts one page out of a list that is short enough to be read whole, from the row at `start` on. With `wholePages` the
 * page before has a cursor only where it is a full one; with `alwaysCounted` a page without rows still has the total.
 */
export function cutList<Row, Result>(
  rows: readonly Row[],
  {
    start,
    limit,
    wholePages = false,
    alwaysCounted = false,
  }: { start: number; limit: number; wholePages?: boolean; alwaysCounted?: boolean },
  { cursorOf, render }: Rendering<Row, Result>,
) {
  const page = rows.slice(start, start + limit);
  const cursorAt = (index: number) => {
    const row = page.length > 0 ? rows[index] : undefined;
    return row === undefined ? null : cursorOf(row);
  };
  return {
    total: page.length > 0 || alwaysCounted ? rows.length : 0,
    limit,
    cursor: {
      next: cursorAt(start + limit),
      previous: start >= (wholePages ? limit : 1) ? cursorAt(Math.max(start - limit, 0)) : null,
      current: cursorAt(start),
    },
    results: page.map(render),
  };
}

/** Where a cursor points in a list: the first row that has `reached` it, or behind the end. The cursor is read once. */
export function startOf<Row>(
  rows: readonly Row[],
  cursor: string | undefined,
  reached: (cursor: string) => (row: Row) => boolean,
): number {
  if (cursor === undefined) return 0;
  const index = rows.findIndex(reached(cursor));
  return index < 0 ? rows.length : index;
}
