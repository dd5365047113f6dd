import { revisionAt } from '../../cache/revision.ts';
import { namedState } from '../../cache/tip-queries.ts';
import { nftKey } from '../../chain/tokens/nft-key.ts';
import { totalOfPage } from '../../compat/page-total.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import type { ListedEvent } from '../events/events-queries.ts';
import { UnboundedList } from '../pages/unbounded-list-queries.ts';
import { nextAsset } from '../principals/touched-assets-queries.ts';
import type { Page } from './holders-queries.ts';

/** An asset by its contract and name. */
export type AssetName = { contract: Uint8Array; name: string };

/** The position of the transaction of a row. */
export type Place = { height: number; place: number; tx_id: Buffer };

export type NftHoldingRow = Place & { contract: Buffer; name: string; value: Buffer };

export type Counted<T> = { total: number; rows: T[] };

/** NFTs that are passed over on the way to a page. */
const MAX_OFFSET = 20_000;

/** A page of the NFTs of a principal. One that is too deep to walk to is refused; it is empty where the list has ended before. */
export async function listNftHoldingsWithin(
  sql: Sql,
  principal: Uint8Array,
  assets: readonly AssetName[] | undefined,
  page: Page,
  maxOffset = MAX_OFFSET,
): Promise<Counted<NftHoldingRow>> {
  if (page.offset <= maxOffset) return await listNftHoldings(sql, principal, assets, page);
  const { total } = await listNftHoldings(sql, principal, assets, { limit: 1, offset: 0 });
  if (total <= page.offset) return { total: 0, rows: [] };
  throw new UnboundedList(
    `offset ${page.offset} is too large for this list, whose maximum is ${maxOffset}: ` +
      'go through /extended/v3/principals/{principal}/balances/nft by its cursor',
  );
}

/** NFTs an account has, the last moved first; only those of the named classes where some are named. */
async function listNftHoldings(
  sql: Sql,
  principal: Uint8Array,
  assets: readonly AssetName[] | undefined,
  { limit, offset }: Page,
): Promise<Counted<NftHoldingRow>> {
  const rows = await sql<(NftHoldingRow & { total: number })[]>`
    with recursive owner as (
      select p.id
      from principals p
      where p.name = ${principal}
    ), wanted as (
      ${assets ? wantedAssets(sql, assets) : touchedAssets(sql)}
    ), counted as (
      select coalesce(sum(greatest(coalesce(s.received, 0) - coalesce(s.sent, 0), 0)), 0)::int as total
      from owner o
      cross join wanted w
      cross join fold_position f
      cross join lateral (
        select b.sent, b.received
        from nft_balances b
        where b.principal = o.id and b.asset = w.asset and b.height <= f.height
        order by b.height desc
        limit 1
      ) s
    )
    select h.height, h.place, t.tx_id, c.name as contract, a.name, ${wholeValue(sql)} as value, n.total, ${namedState(sql)}
    from counted n
    cross join (
      select n.asset, n.height, n.place, n.value, e.event_index
      from owner o
      cross join counted d
      -- Down to the page by the index, with all of the last transaction: its events are put in order after that.
      cross join lateral (
        select n.asset, n.height, n.place, n.value
        from nft_current n
        where n.owner = o.id and d.total > ${offset}::int8
          ${assets ? sql`and n.asset in (select w.asset from wanted w)` : sql``}
        order by n.height desc, n.place desc
        fetch first (${offset}::int8 + ${limit}::int8) rows with ties
      ) n
      cross join lateral (
        select h.event_index
        from nft_history h
        where h.asset = n.asset and h.value = n.value and h.height = n.height and h.place = n.place
        order by h.event_index desc
        limit 1
      ) e
      order by n.height desc, n.place desc, e.event_index desc
      limit ${limit}
      offset ${offset}
    ) h
    join transactions t on t.height = h.height and t.place = h.place
    join assets a on a.id = h.asset
    join principals c on c.id = a.contract
    order by h.height desc, h.place desc, h.event_index desc
  `;
  return counted(rows);
}

const wantedAssets = (sql: Sql, assets: readonly AssetName[]) => sql`
  select a.id as asset
  from unnest(${arrayLiteral(assets.map(asset => asset.contract))}::bytea[], ${assets.map(asset => asset.name)}::text[])
    as w (contract, name)
  join principals c on c.name = w.contract
  join assets a on a.contract = c.id and a.name = w.name
`;

/** One seek for each class the owner ever touched. */
const touchedAssets = (sql: Sql) => sql`
  select o.id as principal, ${nextAsset(sql, 'nft_balances', sql`o.id`, sql`-1`)} as asset
  from owner o
  union all
  select w.principal, ${nextAsset(sql, 'nft_balances', sql`w.principal`, sql`w.asset`)}
  from wanted w
  where w.asset is not null
`;

/** Every move of one NFT, the newest first. */
export async function listNftHistory(
  sql: Sql,
  asset: AssetName,
  value: Uint8Array,
  unanchored: boolean,
  { limit, offset }: Page,
): Promise<Counted<ListedEvent>> {
  const rows = await sql<(ListedEvent & { total: number })[]>`
    with asset as (
      select a.id, f.height + ${unanchored ? 1 : 0}::int as height
      from principals c
      join assets a on a.contract = c.id and a.name = ${asset.name}
      cross join fold_position f
      where c.name = ${asset.contract}
    ), newest as (
      select h.seq
      from asset a
      join nft_history h on h.asset = a.id and h.value = ${nftKey(value)} and h.height <= a.height
      order by h.height desc, h.place desc, h.event_index desc
      limit 1
    )
    select ${listedMove(sql)}, n.seq as total
    from newest n
    cross join asset a
    join nft_history h on h.asset = a.id and h.value = ${nftKey(value)} and h.height <= a.height and h.seq <= n.seq - ${offset}::int8
    order by h.height desc, h.place desc, h.event_index desc
    limit ${limit}
  `;
  return counted(rows);
}

/** NFTs of a class as they were minted, the newest first. */
export async function listNftMints(
  sql: Sql,
  asset: AssetName,
  unanchored: boolean,
  { limit, offset }: Page,
): Promise<Counted<ListedEvent>> {
  const rows = await sql<(ListedEvent & { total: number })[]>`
    with asset as (
      select a.id, t.mints
      from principals c
      join assets a on a.contract = c.id and a.name = ${asset.name}
      cross join fold_position f
      cross join lateral (
        select t.mints
        from asset_totals t
        where t.asset = a.id and t.height <= f.height + ${unanchored ? 1 : 0}::int
        order by t.height desc
        limit 1
      ) t
      where c.name = ${asset.contract}
    )
    select ${listedMove(sql)}, a.mints as total
    from asset a
    join nft_history h on h.asset = a.id and h.mint_seq > 0 and h.mint_seq <= a.mints - ${offset}::int8
      and h.mint_seq > a.mints - ${offset}::int8 - ${limit}::int8
    order by h.mint_seq desc
    limit ${limit}
  `;
  return counted(rows);
}

/** A value that is too long to be a key is read from the event. */
const wholeValue = (sql: Sql) => sql`
  case
    when substring(h.value from 1 for 1) = decode('ff', 'hex') then (
      select e.value
      from events e
      where e.height = h.height and e.place = h.place and e.event_index = h.event_index
    )
    else h.value
  end
`;

/** The event of a move `h`. */
const listedMove = (sql: Sql) => sql`
  h.height, h.place, h.event_index, ${revisionAt(sql, sql`h.height`)} as version
`;

/** The total travels with the rows: an empty page has total 0, as the incumbent has. */
const counted = <T>(rows: (T & { total: number })[]): Counted<T> => ({ total: totalOfPage(rows), rows });
