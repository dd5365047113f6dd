import type { Reader, Sql } from '../../db/client.ts';
import { badRequest } from '../../errors.ts';
import { listPrincipalNames } from '../principals/principals-queries.ts';
import type { ReadCaches } from '../read-caches.ts';
import { type Holder, renderHolder } from './holder-schema.ts';
import { type HolderRow, listFtHolders, listStxHolders, type Page, readHolding } from './holders-queries.ts';

/** The holders of a token; the names of those missing from the cache are read by one statement. */
const renderHolderList = (caches: ReadCaches, sql: Sql, listed: readonly HolderRow[]): Promise<Holder[]> =>
  caches.items.render(listed, {
    namespace: 'holder',
    keyOf: ({ holding }) => holding,
    read: missing =>
      listPrincipalNames(
        sql,
        missing.map(({ holding }) => readHolding(holding).principal),
      ),
    render: ({ name }, { holding }) => renderHolder(name, readHolding(holding).balance),
  });

/** A page of the holders of a fungible token or of STX; an unknown token has none. */
export async function listHolders(
  caches: ReadCaches,
  sql: Reader,
  token: 'stx' | { contract: Uint8Array; name: string } | undefined,
  page: Page,
  /** The list that has all holders, by cursor. */
  cursorList: string,
) {
  if (token === undefined) return { total_supply: '0', ...page, total: 0, results: [] };
  const holders =
    token === 'stx'
      ? await listStxHolders(sql, page, caches.holders)
      : await listFtHolders(sql, token, page, caches.holders);
  if (holders === 'too deep') {
    throw badRequest(
      `querystring/offset must be within the first or the last 100,000 holders; use the cursor of ${cursorList} for the rest`,
    );
  }
  const { supply, total, rows } = holders;
  return { total_supply: supply, ...page, total, results: await renderHolderList(caches, sql, rows) };
}
