import { bareHex } from '@cairn-stacks/codec/hex';
import { stateOf } from '../../cache/revision.ts';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { Statement } from '../../db/statement.ts';
import type { ListPositionStore } from '../pages/list-position-queries.ts';

/** A holder as one text, which `readHolding` reads: it names the entry of a list as it is. */
export type HolderRow = { holding: string; version: string };

/** A page of the holders of a token, largest first, with the supply and the total number of holders. */
type Holders = { supply: string; total: number; rows: HolderRow[] };

/** A holder by the key of its principal (`listPrincipalNames` has the name), and its balance. */
export type Holding = { principal: number; balance: string };

/** Known rows of the lists of holders. */
type HolderPositions = ListPositionStore<Holding>;

export function readHolding(text: string): Holding {
  const gap = text.indexOf(' ');
  return { principal: Number(text.slice(0, gap)), balance: text.slice(gap + 1) };
}

export type Page = { limit: number; offset: number };

/** Maximum distance of a page from the nearer end of the list, in rows: each request skips that many. */
const MAX_SKIPPED = 100_000;

/** Which token: the asset with what is known of it at the tip, and a name for its list. */
type Token = { name: string; asset: (sql: Sql) => Statement<unknown> };

/** Holders of STX. The key of STX among the assets is 0. */
export async function listStxHolders(
  pool: Reader,
  page: Page,
  positions: HolderPositions,
  most = MAX_SKIPPED,
): Promise<Holders | 'too deep'> {
  const asset = (sql: Sql) => sql`
    select 0 as id, t.supply, t.holders, ${stateOf(sql)} as state
    from fold_position f
    cross join lateral (${totalsOf(sql, sql`0`)}) t
  `;
  return await listHolders(pool, { name: 'stx', asset }, page, positions, most);
}

/** Holders of a fungible token. */
export async function listFtHolders(
  pool: Reader,
  token: { contract: Uint8Array; name: string },
  page: Page,
  positions: HolderPositions,
): Promise<Holders | 'too deep'> {
  const asset = (sql: Sql) => sql`
    select a.id, t.supply, t.holders, ${stateOf(sql)} as state
    from principals c
    join assets a on a.contract = c.id and a.name = ${token.name}
    cross join fold_position f
    cross join lateral (${totalsOf(sql, sql`a.id`)}) t
    where c.name = ${token.contract}
  `;
  const name = `${bareHex(token.contract)} ${token.name}`;
  return await listHolders(pool, { name, asset }, page, positions, MAX_SKIPPED);
}

/** Supply and holders of an asset at the tip `f`. */
const totalsOf = (sql: Sql, asset: Statement<unknown>) => sql`
  select t.supply, t.holders
  from asset_totals t
  where t.asset = ${asset} and t.height <= f.height
  order by t.height desc
  limit 1
`;

/** The number of holders is stored, so that a page near the end is counted from there; pages in between are refused. */
async function listHolders(pool: Reader, token: Token, page: Page, positions: HolderPositions, most: number) {
  if (page.offset <= most) return await readOn(pool, token, page, positions);
  return await inSnapshot(pool, async sql => {
    const asset = token.asset(sql);
    const [counted] = await sql<{ holders: number }[]>`select a.holders from (${asset}) a`;
    const left = (counted?.holders ?? 0) - page.offset;
    if (left <= 0) return nobody;
    const limit = Math.min(page.limit, left);
    if (left - limit > most) return 'too deep';
    return holdersOf(await readPage(sql, asset, { limit, offset: left - limit, from: 'end' }));
  });
}

/** An empty page has total 0, as the incumbent has. */
const nobody: Holders = { supply: '0', total: 0, rows: [] };

/** A page as it is read: one row with all holdings, null where there are none, costs much less than a hundred. */
type ReadPage = { supply: string; holders: number; state: string; holdings: string | null };

function holdersOf(page: ReadPage | undefined): Holders {
  if (!page || page.holdings === null) return nobody;
  const { supply, holders, state, holdings } = page;
  const version = state.slice(0, state.indexOf(' ')); // the revision, which it begins with
  return { supply, total: holders, rows: holdings.split(',').map(holding => ({ holding, version })) };
}

/** Where a page lies: so many holders from the start, from the end, or from the one after whom it is counted. */
type Walk = Page & { from: 'start' | 'end' | Holding };

/** A page counted from the nearest known position before it; its last row becomes a known position. */
async function readOn(sql: Sql, token: Token, { limit, offset }: Page, positions: HolderPositions): Promise<Holders> {
  const known = positions.before(token.name, offset);
  const near =
    known && (await readPage(sql, token.asset(sql), { limit, offset: offset - known.skipped, from: known.key }));
  const page =
    near?.holdings && near.state === known?.version
      ? near
      : await readPage(sql, token.asset(sql), { limit, offset, from: 'start' });
  const found = holdersOf(page);
  const last = found.rows.at(-1);
  if (page && last) {
    positions.add(token.name, page.state, { skipped: offset + found.rows.length, key: readHolding(last.holding) });
  }
  return found;
}

async function readPage(
  sql: Sql,
  asset: Statement<unknown>,
  { limit, offset, from }: Walk,
): Promise<ReadPage | undefined> {
  const after =
    typeof from === 'string'
      ? sql``
      : sql`and (h.balance, h.principal) < (${from.balance}::numeric, ${from.principal}::int)`;
  const [page] = await sql<ReadPage[]>`
    select a.supply, a.holders, a.state, (
      select string_agg(h.principal || ' ' || h.balance, ',' order by h.balance desc, h.principal desc)
      from (
        select h.principal, h.balance
        from holders h
        where h.asset = a.id ${after}
        order by ${from === 'end' ? sql`h.balance, h.principal` : sql`h.balance desc, h.principal desc`}
        limit ${limit}
        offset ${offset}
      ) h
    ) as holdings
    from (${asset}) a
  `;
  return page;
}
