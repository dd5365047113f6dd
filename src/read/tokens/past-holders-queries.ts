import { principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { Statement } from '../../db/statement.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';
import type { CountedPage } from '../pages/keyed-page-queries.ts';
import type { AssetName } from './nfts-queries.ts';

/** A principal with a balance above zero after a past block, and the block after which it was first listed as a holder. */
export type PastHolder = { principal: string; balance: string; since: number };

/** Where a list of past holders goes on: with this one. */
export type PastHolderCursor = { since: number; principal: string };

/** Candidates that one request looks at: who held the asset before, and no longer at that block, is passed over. */
const MOST_LOOKED = 1000;

/**
 * Holders of STX (`asset` absent), of a fungible token or of NFTs after a past block, in the order in which they first held it: that
 * order never changes. A page may have fewer than `limit`, and still be followed by others. Undefined if there is no such block.
 */
export const listPastHolders = (
  pool: Reader,
  asset: AssetName | undefined,
  asOf: AsOf,
  page: PastHolderPage,
  most = MOST_LOOKED,
) => inSnapshot(pool, sql => readPastHolders(sql, asset, asOf, page, most));

type PastHolderPage = { cursor: PastHolderCursor | undefined; limit: number };

/** The same within a snapshot. */
export async function readPastHolders(
  sql: Sql,
  asset: AssetName | undefined,
  asOf: AsOf,
  { cursor, limit }: PastHolderPage,
  most = MOST_LOOKED,
): Promise<CountedPage<PastHolder> | undefined> {
  const [found] = await sql<{ height: number; asset: number | null; total: number | null }[]>`
      select m.height, a.id as asset, t.funded as total
      from (${asOfBlock(sql, asOf)}) m
      left join (${assetId(sql, asset)}) a on true
      left join lateral (
        select t.funded
        from asset_totals t
        where t.asset = a.id and t.height <= m.height
        order by t.height desc
        limit 1
      ) t on true
    `;
  if (!found) return undefined;
  if (found.asset === null) return { rows: [], next: undefined, previous: undefined, total: 0 };
  const candidates = { asset: found.asset, height: found.height, cursor, most };
  const step = await readStep(sql, candidates, limit);
  return { ...step, previous: undefined, total: found.total ?? 0 };
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

type Candidates = { asset: number; height: number; cursor: PastHolderCursor | undefined; most: number };

async function readStep(sql: Sql, { asset, height, cursor, most }: Candidates, limit: number) {
  const start = cursor
    ? sql`and (s.height, s.principal) >= (${cursor.since}::int, coalesce((
        select p.id from principals p where p.name = ${principalToBytes(cursor.principal)}
      ), 0))`
    : sql``;
  const rows = await sql<{ n: number; since: number; name: Buffer; balance: string }[]>`
    with looked as materialized (
      select s.height, s.principal, row_number() over (order by s.height, s.principal)::int as n
      from (
        select s.height, s.principal
        from asset_holders s
        where s.asset = ${asset} and s.height <= ${height} ${start}
        order by s.height, s.principal
        limit ${most + 1}
      ) s
    )
    select l.n, l.height as since, p.name, b.balance
    from looked l
    cross join lateral (${balanceAt(sql, asset, height)}) b
    join principals p on p.id = l.principal
    where b.balance > 0 or l.n > ${most}
    order by l.n
    limit ${limit + 1}
  `;
  const holders = rows.map(({ since, name, balance }) => ({ principal: principalFromBytes(name), balance, since }));
  const end = rows.findIndex((row, i) => i === limit || row.n > most);
  return end < 0 ? { rows: holders, next: undefined } : { rows: holders.slice(0, end), next: holders[end] };
}

/** What the candidate `l` had after a block. */
function balanceAt(sql: Sql, asset: number, height: number): Statement<unknown> {
  const newest = (table: 'ft_balances' | 'nft_balances') => sql`
    select (coalesce(b.received, 0) - coalesce(b.sent, 0))::numeric as balance
    from ${sql(table)} b
    where b.principal = l.principal and b.asset = ${asset} and b.height <= ${height}
    order by b.height desc
    limit 1
  `;
  if (asset > 0) return sql`select coalesce((${newest('ft_balances')}), (${newest('nft_balances')}), 0) as balance`;
  return sql`
    select coalesce(b.received, 0) + coalesce(b.rewards, 0) - coalesce(b.sent, 0) - coalesce(b.fees, 0) as balance
    from stx_balances b
    where b.principal = l.principal and b.height <= ${height}
    order by b.height desc
    limit 1
  `;
}
