import { badRequest } from '../../errors.ts';
import type { ExpiryKey } from './lists-queries.ts';
import type { ChangeKey, NameRow } from './names-queries.ts';

/** One page of rows that were read with one more than the limit, and the cursor of the next. */
export function cutPage<Row, Result>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
  render: (row: Row) => Result,
) {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { limit, next_cursor: last === undefined ? null : cursorOf(last), results: page.map(render) };
}

/** Behind which change a page of a history begins. */
export const changeCursor = ({ version, height, place, event_index }: NameRow) =>
  `${version}:${height}:${place}:${event_index}`;

export function changeKeyOf(cursor: string | undefined): ChangeKey | undefined {
  if (cursor === undefined) return undefined;
  const [, version, height, place, index] = /^([12]):(\d{1,9}):(-?\d{1,5}):(\d{1,9})$/.exec(cursor) ?? [];
  if (version === undefined) throw badRequest('Invalid cursor');
  return { version: Number(version), height: Number(height), place: Number(place), index: Number(index) };
}

export const expiryCursor = ({ expires, name }: ExpiryKey) => `${expires}:${name}`;

export function expiryKeyOf(cursor: string | undefined): ExpiryKey | undefined {
  if (cursor === undefined) return undefined;
  const [, expires, name] = /^(\d{1,9}):([\x21-\x7e]{1,80})$/.exec(cursor) ?? [];
  if (expires === undefined || name === undefined) throw badRequest('Invalid cursor');
  return { expires: Number(expires), name };
}
