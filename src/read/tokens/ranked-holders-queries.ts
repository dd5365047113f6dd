import { principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { CountedPage } from '../pages/keyed-page-queries.ts';
import type { AssetName } from './nfts-queries.ts';

/** A principal with a balance of a token above zero; of NFTs, their number. */
export type RankedHolder = { principal: string; balance: string };

/** Where a page starts: a balance, and a principal among those that have just as much. */
export type HolderCursor = { balance: bigint; principal: string };

type Keyed = RankedHolder & { id: number };
type RankedAsset = { table: RankTable; asset: number };
type Page = { cursor: HolderCursor | undefined; limit: number };

/** Groups of equal balances up to this size are sorted by name; a larger group stays in the order of the index, newest account first. */
const SORTED = 1000;

/** The tables of ranks: of STX and fungible tokens, and of NFTs. */
type RankTable = 'holders' | 'nft_holders';

/** Holders of STX (`asset` absent) or of a fungible token, the largest balance first, equal balances by name. */
export const listRankedHolders = (pool: Reader, asset: AssetName | undefined, page: Page) =>
  listRanks(pool, 'holders', asset, page);

/** Holders of the NFTs of a class, those with the most first, equal ones by name. */
export const listNftHolders = (pool: Reader, asset: AssetName, page: Page) =>
  listRanks(pool, 'nft_holders', asset, page);

async function listRanks(
  pool: Reader,
  table: RankTable,
  asset: AssetName | undefined,
  page: Page,
): Promise<CountedPage<RankedHolder>> {
  return await inSnapshot(pool, async sql => {
    const [found] = await sql<{ id: number; total: number }[]>`
      select a.id, coalesce((
        select t.funded
        from asset_totals t
        where t.asset = a.id and t.height <= f.height
        order by t.height desc
        limit 1
      ), 0) as total
      from fold_position f
      cross join (${assetId(sql, asset)}) a
    `;
    if (!found) return { rows: [], next: undefined, previous: undefined, total: 0 };
    const forward = await readHolders(sql, { table, asset: found.id }, page.cursor, page.limit + 1, 'down');
    const back = page.cursor ? await readHolders(sql, { table, asset: found.id }, page.cursor, page.limit, 'up') : [];
    return {
      rows: forward.slice(0, page.limit),
      next: forward[page.limit],
      previous: forward.length === 0 ? undefined : back.at(-1),
      total: found.total,
    };
  });
}

const assetId = (sql: Sql, asset: AssetName | undefined) =>
  asset === undefined
    ? sql`select 0 as id`
    : sql`
      select a.id
      from principals c
      join assets a on a.contract = c.id and a.name = ${asset.name}
      where c.name = ${asset.contract}
    `;

/** So many holders from a position on in the order of the list (`down`, with the one there), or against it (`up`, without). */
async function readHolders(
  sql: Sql,
  asset: RankedAsset,
  cursor: HolderCursor | undefined,
  count: number,
  way: 'down' | 'up',
): Promise<Keyed[]> {
  const holders: Keyed[] = [];
  if (cursor) {
    const group = await readGroup(sql, asset, cursor.balance, way, { from: cursor.principal, count });
    holders.push(...group);
  }
  if (holders.length >= count) return holders.slice(0, count);
  const rest = await readBeyond(sql, asset, cursor?.balance, count - holders.length, way);
  const last = rest.at(-1);
  if (last === undefined) return holders;
  // The last group may go on beyond what was read: it is read whole where it is put in order.
  for (const balance of new Set(rest.map(holder => holder.balance))) {
    const members = rest.filter(holder => holder.balance === balance);
    if (balance !== last.balance) holders.push(...(members.length > SORTED ? members : inOrder(members, way)));
    else holders.push(...(await readGroup(sql, asset, BigInt(balance), way, { count: count - holders.length })));
  }
  return holders.slice(0, count);
}

/** Those of one balance, from a name on. */
async function readGroup(
  sql: Sql,
  { table, asset }: RankedAsset,
  balance: bigint,
  way: 'down' | 'up',
  { from, count }: { from?: string; count: number },
): Promise<Keyed[]> {
  if (balance <= 0n) return [];
  const members = await readRows(
    sql,
    table,
    sql`h.asset = ${asset} and h.balance = ${String(balance)}::numeric`,
    'down',
    SORTED + 1,
  );
  if (members.length <= SORTED) {
    const all = inOrder(members, way);
    if (from === undefined) return all.slice(0, count);
    return all.filter(({ principal }) => (way === 'down' ? principal >= from : principal < from)).slice(0, count);
  }
  const own = sql`h.asset = ${asset} and h.balance = ${String(balance)}::numeric`;
  if (from === undefined) return await readRows(sql, table, own, way, count);
  const id = sql`coalesce((select p.id from principals p where p.name = ${principalToBytes(from)}), 0)`;
  const beyond = way === 'down' ? sql`h.principal <= ${id}` : sql`h.principal > ${id}`;
  return await readRows(sql, table, sql`${own} and ${beyond}`, way, count);
}

const readBeyond = (
  sql: Sql,
  { table, asset }: RankedAsset,
  balance: bigint | undefined,
  count: number,
  way: 'down' | 'up',
) => {
  const beyond =
    balance === undefined
      ? sql`true`
      : way === 'down'
        ? sql`h.balance < ${String(balance)}::numeric`
        : sql`h.balance > ${String(balance)}::numeric`;
  return readRows(sql, table, sql`h.asset = ${asset} and h.balance > 0 and ${beyond}`, way, count);
};

/** Rows by the index, the largest first or the other way round. */
async function readRows(
  sql: Sql,
  table: RankTable,
  where: ReturnType<typeof assetId>,
  way: 'down' | 'up',
  count: number,
): Promise<Keyed[]> {
  const order = way === 'down' ? sql`h.balance desc, h.principal desc` : sql`h.balance, h.principal`;
  const rows = await sql<{ id: number; name: Buffer; balance: string }[]>`
    select h.principal as id, p.name, h.balance
    from (
      select h.principal, h.balance
      from ${sql(table)} h
      where ${where}
      order by ${order}
      limit ${count}
    ) h
    join principals p on p.id = h.principal
    order by ${order}
  `;
  return rows.map(({ id, name, balance }) => ({ id, principal: principalFromBytes(name), balance }));
}

function inOrder(members: readonly Keyed[], way: 'down' | 'up'): Keyed[] {
  const sorted = [...members].sort((a, b) => (a.principal < b.principal ? -1 : 1));
  return way === 'down' ? sorted : sorted.reverse();
}
