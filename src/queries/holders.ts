import { bareHex } from '../codec/hex.ts';
import type { Pool, Sql } from '../db/client.ts';
import { inSnapshot } from '../db/snapshot.ts';
import type { Statement } from '../db/statement.ts';
import { Landmarks } from './landmarks.ts';
import { stateOf } from './revision.ts';

/** A holder by key: `listPrincipalNames` tells who it is. */
export type HolderRow = { principal: number; balance: string; version: string };

/** A page of those who have a token, largest first, with the supply and the number of all of them. */
export type Holders = { supply: string; total: number; rows: HolderRow[] };

export type Page = { limit: number; offset: number };

/** Rows that a page may lie away from the nearer end of the list: what is counted past on each request. */
const MOST_PASSED = 100_000;

/** Which token: the asset with what is known of it at the tip, and a name for its list. */
type Token = { name: string; asset: (sql: Sql) => Statement<unknown> };

/** Those who have STX. The key of STX among the assets is 0. */
export async function listStxHolders(pool: Pool, page: Page, most = MOST_PASSED): Promise<Holders | 'too deep'> {
  const asset = (sql: Sql) => sql`
    select 0 as id, t.supply, t.holders, ${stateOf(sql)} as state
    from fold_position f
    cross join lateral (${totalsOf(sql, sql`0`)}) t
  `;
  return await listHolders(pool, { name: 'stx', asset }, page, most);
}

/** Those who have a fungible token. */
export async function listFtHolders(
  pool: Pool,
  token: { contract: Uint8Array; name: string },
  page: Page,
): Promise<Holders | 'too deep'> {
  const asset = (sql: Sql) => sql`
    select a.id, t.supply, t.holders, ${stateOf(sql)} as state
    from principals c
    join assets a on a.contract = c.id and a.name = ${token.name}
    cross join fold_position f
    cross join lateral (${totalsOf(sql, sql`a.id`)}) t
    where c.name = ${token.contract}
  `;
  return await listHolders(pool, { name: `${bareHex(token.contract)} ${token.name}`, asset }, page, MOST_PASSED);
}

/** Supply and holders of an asset at the tip `f`. */
const totalsOf = (sql: Sql, asset: Statement<unknown>) => sql`
  select t.supply, t.holders
  from asset_totals t
  where t.asset = ${asset} and t.height <= f.height
  order by t.height desc
  limit 1
`;

/** The number of holders is kept, so that a page near the end is counted from there; those between are not given. */
async function listHolders(pool: Pool, token: Token, page: Page, most: number) {
  if (page.offset <= most) return await readOn(pool, token, page);
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

/** A page without rows says zero, as callers of the public API know it. */
const nobody: Holders = { supply: '0', total: 0, rows: [] };

type HolderKey = Omit<HolderRow, 'version'>;

/** What is told of the token stands in the first row alone. */
type ListedHolder = HolderKey &
  ({ supply: string; holders: number; state: string } | { supply: null; holders: null; state: null });

function holdersOf(rows: ListedHolder[]): Holders {
  const [first] = rows;
  if (!first || first.state === null) return nobody;
  const { supply, holders, state } = first;
  const version = state.slice(0, state.indexOf(' ')); // the revision, which it begins with
  return { supply, total: holders, rows: rows.map(({ principal, balance }) => ({ principal, balance, version })) };
}

/** Where a page lies: so many holders from the start, from the end, or from the one after whom it is counted. */
type Walk = Page & { from: 'start' | 'end' | HolderKey };

const MOST_LISTS = 100;

/** Those of the lists that were read last, by the name of the token. */
const landmarks = new Map<string, Landmarks<HolderKey>>();

/** A page counted from the last landmark before it, which every page leaves at its end. */
async function readOn(sql: Sql, token: Token, { limit, offset }: Page): Promise<Holders> {
  const known = landmarks.get(token.name) ?? new Landmarks<HolderKey>();
  const mark = known.before(offset);
  const near = mark && (await readPage(sql, token.asset(sql), { limit, offset: offset - mark.passed, from: mark.key }));
  const rows =
    near?.[0] && near[0].state === mark?.state
      ? near
      : await readPage(sql, token.asset(sql), { limit, offset, from: 'start' });
  const [first] = rows;
  const last = rows.at(-1);
  if (last && first?.state) {
    known.learn(first.state, {
      passed: offset + rows.length,
      key: { balance: last.balance, principal: last.principal },
    });
    landmarks.delete(token.name);
    landmarks.set(token.name, known);
    if (landmarks.size > MOST_LISTS) landmarks.delete(landmarks.keys().next().value!);
  }
  return holdersOf(rows);
}

/** Tells a value in the first row of a page of holders alone. */
const once = (sql: Sql, value: Statement<unknown>) => sql`
  case when row_number() over (order by h.balance desc, h.principal desc) = 1 then ${value} end
`;

async function readPage(sql: Sql, asset: Statement<unknown>, { limit, offset, from }: Walk): Promise<ListedHolder[]> {
  const after =
    typeof from === 'string'
      ? sql``
      : sql`and (h.balance, h.principal) < (${from.balance}::numeric, ${from.principal}::int)`;
  return await sql<ListedHolder[]>`
    select h.principal, h.balance, ${once(sql, sql`a.supply`)} as supply, ${once(sql, sql`a.holders`)} as holders,
      ${once(sql, sql`a.state`)} as state
    from (${asset}) a
    cross join lateral (
      select h.principal, h.balance
      from holders h
      where h.asset = a.id ${after}
      order by ${from === 'end' ? sql`h.balance, h.principal` : sql`h.balance desc, h.principal desc`}
      limit ${limit}
      offset ${offset}
    ) h
    order by h.balance desc, h.principal desc
  `;
}
