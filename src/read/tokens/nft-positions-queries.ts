import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { stateOf } from '../../cache/revision.ts';
import { nftKey } from '../../chain/tokens/nft-key.ts';
import { arrayLiteral, type Reader, type Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { type CountedPage, keyedPage } from '../pages/keyed-page-queries.ts';
import { touchedAssets } from '../principals/touched-assets-queries.ts';

/** How many of one class of NFTs an account has. */
type NftBalanceRow = { asset: number; contract: Buffer; name: string; sent: number; received: number };

/** An NFT that an account has. */
export type NftPositionRow = { contract: Buffer; name: string; value: Buffer };

/** Where a page starts: an identifier `S….contract::asset` and a value. */
export type NftCursor = { identifier: string; value: Uint8Array };

/** With `only`, the identifier of a class, nothing of other classes. */
type Page = { cursor: NftCursor | undefined; limit: number; only?: string | undefined };

/** A class the account has some of, under the text by which classes are ordered. */
type NftClass = { asset: number; identifier: string; count: number };

/** NFTs an account has, by identifier and value, with their number. */
export async function listNftPositions(
  pool: Reader,
  principal: Uint8Array,
  page: Page,
): Promise<CountedPage<NftPositionRow>> {
  const { isConsistent, ...found } = await readPage(pool, principal, page);
  return isConsistent ? found : await inSnapshot(pool, sql => readPage(sql, principal, page));
}

/**
 * Identifiers are ordered as texts, which the tables do not hold: the classes and their counts come first, and then the
 * values of those that the page can reach. `isConsistent` says that both were read of one state, as nearly always:
 * that is cheaper than a transaction.
 */
async function readPage(sql: Sql, principal: Uint8Array, page: Page) {
  const balances = await listNftClasses(sql, principal);
  const { only } = page;
  const classes = balances
    .flatMap(classOf)
    .filter(({ identifier }) => only === undefined || identifier === only)
    .sort(byIdentifier);
  const reach = reachOf(classes, page);
  if (reach === undefined) return { rows: [], next: undefined, previous: undefined, total: 0, isConsistent: true };
  const values = await listValues(sql, principal, reach, page);
  const found = keyedPage(values, page.limit);
  const total = found.rows.length === 0 ? 0 : classes.reduce((sum, each) => sum + each.count, 0);
  return { ...found, total, isConsistent: values[0]?.state === balances[0]?.state };
}

const listNftClasses = (sql: Sql, principal: Uint8Array) => sql<(NftBalanceRow & { state: string })[]>`
  select b.*, ${stateOf(sql)} as state
  from fold_position f
  cross join (${touchedAssets(sql, 'nft_balances', principal, 'tip')}) b
`;

function classOf({ asset, contract, name, sent, received }: NftBalanceRow): NftClass[] {
  const count = Number(received) - Number(sent);
  return count > 0 ? [{ asset, identifier: `${principalFromBytes(contract)}::${name}`, count }] : [];
}

const byIdentifier = (a: NftClass, b: NftClass) => (a.identifier < b.identifier ? -1 : 1);

/** The classes around the start that hold a page in either direction, and which of them the page starts in, from 1. */
type SearchRange = { assets: number[]; first: number; value: Uint8Array };

function reachOf(classes: readonly NftClass[], { cursor, limit }: Page): SearchRange | undefined {
  const start = cursor ? classes.findIndex(each => each.identifier >= cursor.identifier) : 0;
  const own = classes[start];
  if (own === undefined) return undefined;
  let from = start;
  for (let count = 0; from > 0 && count < limit; ) count += classes[--from]!.count;
  let to = start;
  for (let count = 0; to < classes.length - 1 && count <= limit; ) count += classes[++to]!.count;
  return {
    assets: classes.slice(from, to + 1).map(each => each.asset),
    first: start - from + 1,
    value: cursor && own.identifier === cursor.identifier ? cursor.value : new Uint8Array(0),
  };
}

async function listValues(
  sql: Sql,
  principal: Uint8Array,
  { assets, first, value }: SearchRange,
  { cursor, limit }: Page,
) {
  const list = sql`${arrayLiteral(assets)}::int[]`;
  const start = sql`(${first}::int, ${nftKey(value)}::bytea)`;
  return await sql<(NftPositionRow & { before: boolean; state: string })[]>`
    with owned as materialized (
      select array_position(${list}, n.asset) as rank, n.asset, n.value, n.height, n.place
      from principals p
      cross join lateral (
        select n.asset, n.value, n.height, n.place
        from nft_current n
        where n.owner = p.id
        offset 0 -- by the owner: a class may have more
      ) n
      where p.name = ${principal} and n.asset = any (${list})
    ), page as (
      (
        select o.rank, o.asset, o.value, o.height, o.place, false as before
        from owned o
        where (o.rank, o.value) >= ${start}
        order by o.rank, o.value
        limit ${limit + 1}
      )
      ${cursor === undefined ? sql`` : rowBefore(sql, limit, start)}
    )
    select c.name as contract, a.name, o.before, ${wholeValue(sql)} as value,
      (select ${stateOf(sql)} from fold_position f) as state
    from page o
    join assets a on a.id = o.asset
    join principals c on c.id = a.contract
    order by o.rank, o.value
  `;
}

type Fragment = ReturnType<typeof wholeValue>;

/** The row at which the page before the start begins. */
const rowBefore = (sql: Sql, limit: number, start: Fragment) => sql`
  union all
  (
    select b.rank, b.asset, b.value, b.height, b.place, true
    from (
      select o.rank, o.asset, o.value, o.height, o.place
      from owned o
      where (o.rank, o.value) < ${start}
      order by o.rank desc, o.value desc
      limit ${limit}
    ) b
    order by b.rank, b.value
    limit 1
  )
`;

/** A value that is too long to be a key is read from the event that moved it last. */
const wholeValue = (sql: Sql) => sql`
  case
    when substring(o.value from 1 for 1) = decode('ff', 'hex') then (
      select e.value
      from nft_history h
      join events e on e.height = h.height and e.place = h.place and e.event_index = h.event_index
      where h.asset = o.asset and h.value = o.value and h.height = o.height and h.place = o.place
      order by h.event_index desc
      limit 1
    )
    else o.value
  end
`;
