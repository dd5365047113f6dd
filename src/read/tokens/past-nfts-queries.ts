import { principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { nftKey } from '../../chain/tokens/nft-key.ts';
import { arrayLiteral, type Reader, type Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { Statement } from '../../db/statement.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';
import type { CountedPage } from '../pages/keyed-page-queries.ts';
import { touchedAssets } from '../principals/touched-assets-queries.ts';
import type { NftCursor, NftPositionRow } from './nft-positions-queries.ts';

/** NFTs that one request looks at in each class. */
const MOST_LOOKED = 300;
/** Classes that one request looks at. */
const MOST_CLASSES = 20;

type Page = { cursor: NftCursor | undefined; limit: number; only?: string | undefined };
type NftClass = { asset: number; identifier: string; count: number };

/**
 * NFTs that an account had after a past block, by identifier and value. What it had received before and no longer had is passed over:
 * a page may have fewer than `limit`, and still be followed by others. Undefined if there is no such block.
 */
export async function listPastNfts(
  pool: Reader,
  principal: Uint8Array,
  asOf: AsOf,
  page: Page,
  most = MOST_LOOKED,
): Promise<CountedPage<NftPositionRow> | undefined> {
  return await inSnapshot(pool, async sql => {
    const [block] = await sql<{ height: number }[]>`select m.height from (${asOfBlock(sql, asOf)}) m`;
    if (!block) return undefined;
    const classes = await listClasses(sql, principal, block.height, page.only);
    const total = classes.reduce((sum, { count }) => sum + count, 0);
    const { cursor } = page;
    const from = cursor ? classes.findIndex(({ identifier }) => identifier >= cursor.identifier) : 0;
    const reached = from < 0 ? [] : reachedBy(classes.slice(from), page.limit);
    if (reached.length === 0) return { rows: [], next: undefined, previous: undefined, total };
    const value = cursor && reached[0]!.identifier === cursor.identifier ? cursor.value : new Uint8Array(0);
    const found = await listOwned(sql, { principal, height: block.height, classes: reached, value, most }, page.limit);
    const end = found.findIndex((row, i) => i === page.limit || row.n > most);
    const rows = end < 0 ? found : found.slice(0, end);
    const next = end < 0 ? classes[from + reached.length] : found[end];
    return { rows, next: next && ('value' in next ? next : startOf(next)), previous: undefined, total };
  });
}

async function listClasses(sql: Sql, principal: Uint8Array, height: number, only: string | undefined) {
  type Row = { asset: number; contract: Buffer; name: string; sent: number; received: number };
  const rows = await sql<Row[]>`${touchedAssets(sql, 'nft_balances', principal, { height })}`;
  return rows
    .map(({ asset, contract, name, sent, received }): NftClass => {
      const identifier = `${principalFromBytes(contract)}::${name}`;
      return { asset, identifier, count: Number(received) - Number(sent) };
    })
    .filter(({ count, identifier }) => count > 0 && (only === undefined || identifier === only))
    .sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
}

/** The classes that may be needed to fill a page. */
function reachedBy(classes: readonly NftClass[], limit: number): NftClass[] {
  let end = 0;
  // Of the first class the page may begin behind all but one.
  for (let count = 0; end < classes.length && end < MOST_CLASSES && count <= limit; end++) {
    count += end === 0 ? 1 : classes[end]!.count;
  }
  return classes.slice(0, end);
}

/** The place before all values of a class. */
function startOf({ identifier }: NftClass): NftPositionRow {
  const [contract = '', name = ''] = identifier.split('::');
  return { contract: Buffer.from(principalToBytes(contract)), name, value: Buffer.alloc(0) };
}

type Search = { principal: Uint8Array; height: number; classes: readonly NftClass[]; value: Uint8Array; most: number };

/** What it had of the classes, from a value of the first on, and of each class the candidate at which the search ended. */
async function listOwned(sql: Sql, { principal, height, classes, value, most }: Search, limit: number) {
  /** The first value that ever came to the account `w` of the class `k` and meets a condition. */
  const next = (condition: Statement<unknown>, n: Statement<unknown>) => sql`(
    select h.value, ${n} as n
    from nft_history h
    where h.recipient = w.id and h.recipient <> 0 and h.asset = k.asset and ${condition}
    order by h.value
    limit 1
  )`;
  return await sql<(NftPositionRow & { n: number })[]>`
    with who as materialized (
      select p.id
      from principals p
      where p.name = ${principal}
    ), candidates as materialized (
      select k.rank, k.asset, h.value, h.n
      from who w
      cross join unnest(${arrayLiteral(classes.map(({ asset }) => asset))}::int[]) with ordinality as k (asset, rank)
      cross join lateral (
        -- One seek for each NFT: one that came back is there more than once.
        with recursive walk (value, n) as (
          ${next(sql`h.value >= case when k.rank = 1 then ${nftKey(value)}::bytea else ''::bytea end`, sql`1`)}
          union all
          select x.value, x.n
          from walk l
          cross join lateral ${next(sql`h.value > l.value`, sql`l.n + 1`)} x
          where l.n <= ${most}
        )
        select l.value, l.n
        from walk l
      ) h
    )
    select c.name as contract, a.name, d.n, case
        when substring(d.value from 1 for 1) = decode('ff', 'hex') then (
          select e.value
          from events e
          where e.height = m.height and e.place = m.place and e.event_index = m.event_index
        )
        else d.value
      end as value
    from candidates d
    left join lateral (
      select h.height, h.place, h.event_index, h.recipient
      from nft_history h
      where h.asset = d.asset and h.value = d.value and h.height <= ${height}
      order by h.height desc, h.place desc, h.event_index desc
      limit 1
    ) m on true
    join assets a on a.id = d.asset
    join principals c on c.id = a.contract
    where m.recipient = (select w.id from who w) or d.n > ${most}
    order by d.rank, d.value
    limit ${limit + 1}
  `;
}
