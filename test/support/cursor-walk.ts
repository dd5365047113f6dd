import { expect } from 'vitest';

type CursorPage<Row> = {
  total: number;
  limit: number;
  cursor: { next: string | null; previous: string | null; current: string | null };
  results: Row[];
};

/**
 * Every row of a cursor list, page by page from the first to the last. On the way: each page starts where the one before
 * said, the total stays, and the way back is the same.
 */
export async function walk<Row>(
  get: (url: string) => Promise<CursorPage<Row>>,
  url: string,
  limit: number,
): Promise<Row[]> {
  const at = (cursor: string | null) => {
    const query = `limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    return get(`${url}${url.includes('?') ? '&' : '?'}${query}`);
  };
  const pages = [await at(null)];
  while (pages.at(-1)!.cursor.next !== null) pages.push(await at(pages.at(-1)!.cursor.next));
  for (const [i, page] of pages.entries()) {
    expect(page.limit).toBe(limit);
    expect(page.total).toBe(pages[0]!.total);
    expect(page.cursor.current).toBe(i === 0 ? page.cursor.current : pages[i - 1]!.cursor.next);
    expect(page.cursor.previous).toBe(i === 0 ? null : pages[i - 1]!.cursor.current);
  }
  return pages.flatMap(page => page.results);
}
