import { tokenClasses } from '../../chain/tokens/token-notification.ts';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';

/** SIP-016 metadata as the worker stored it. */
export type StoredMetadata = {
  name?: string;
  description?: string;
  image?: string;
  imageUrl?: string;
  attributes?: { trait_type: string; value: unknown; display_type?: string }[];
  properties?: Record<string, unknown>;
  localization?: { uri: string; default: string; locales: string[] };
};

/** A token of a canonical contract. */
export type TokenRow = {
  principal: string;
  class: number;
  /** The first native token of the contract. */
  asset: string | null;
  /** Of the deployment. */
  tx_id: Buffer;
  number: string;
  /** Null until the contract was called. */
  read_at: Date | null;
  refresh_at: Date | null;
  decimals: number | null;
  supply: string | null;
  name: string | null;
  symbol: string | null;
  uri: string | null;
  error_code: string | null;
  error_message: string | null;
  metadata: StoredMetadata | null;
};

const tokenColumns = (sql: Sql) => sql`
  c.principal, c.class, c.asset, x.tx_id, t.number, t.read_at, t.refresh_at, t.decimals, t.supply, t.name, t.symbol, t.uri,
  t.error_code, t.error_message
`;

/** The deployment of a token contract `c`, if a canonical block has it. */
const deployment = (sql: Sql) => sql`
  join principals p on p.name = c.name
  join contracts k on k.contract = p.id and k.height <= (select f.height from fold_position f)
  join transactions x on x.height = k.height and x.place = k.place
`;

/** A token, whose locale is stored or not; a contract without such a token; or undefined for an unknown contract. */
type FoundToken = { token: TokenRow | undefined; localeFound: boolean };

/** Finds a token by the compact name of its contract; without a locale its metadata are those of the default one. */
export async function findToken(
  sql: Sql,
  name: Uint8Array,
  number: bigint,
  locale: string | undefined,
): Promise<FoundToken | undefined> {
  type Row = Omit<TokenRow, 'number'> & { number: string | null; localized: StoredMetadata | null };
  const [row] = await sql<Row[]>`
    select ${tokenColumns(sql)}, t.metadata, l.metadata as localized
    from token_contracts c
    ${deployment(sql)}
    left join tokens t on t.contract = c.id and t.number = ${String(number)}::numeric
    left join token_locales l on l.contract = t.contract and l.number = t.number and l.locale = ${locale ?? ''}
    where c.name = ${name}
  `;
  if (!row) return undefined;
  const { localized, number: found, ...token } = row;
  if (found === null) return { token: undefined, localeFound: false };
  const isDefault = locale === undefined || locale === token.metadata?.localization?.default;
  const metadata = isDefault ? token.metadata : localized;
  return { token: { ...token, number: found, metadata }, localeFound: isDefault || localized !== null };
}

/** A token by the compact name of its contract and its number. */
export type TokenKey = { contract: Uint8Array; number: bigint };

/** The tokens that are known; their metadata are null where the locale is not stored. */
export async function listTokens(sql: Sql, keys: readonly TokenKey[], locale: string | undefined): Promise<TokenRow[]> {
  const rows = await sql<(TokenRow & { localized: StoredMetadata | null })[]>`
    select ${tokenColumns(sql)}, t.metadata, l.metadata as localized
    from unnest(
      ${arrayLiteral(keys.map(({ contract }) => contract))}::bytea[],
      ${keys.map(({ number }) => String(number))}::numeric[]
    ) with ordinality as w (name, number, n)
    join token_contracts c on c.name = w.name
    ${deployment(sql)}
    join tokens t on t.contract = c.id and t.number = w.number
    left join token_locales l on l.contract = t.contract and l.number = t.number and l.locale = ${locale ?? ''}
    order by w.n
  `;
  return rows.map(({ localized, ...token }) => {
    const isDefault = locale === undefined || locale === token.metadata?.localization?.default;
    return { ...token, metadata: isDefault ? token.metadata : localized };
  });
}

type FtFilter = {
  name?: string | undefined;
  symbol?: string | undefined;
  /** The beginning of a contract identifier. */
  address?: string | undefined;
  validMetadataOnly: boolean;
};
type FtOrder = { by: 'name' | 'symbol'; descending: boolean };

/**
 * Fungible tokens by name or symbol. All of them are read for each page: there are some thousands on mainnet, and none of the
 * filters can use an index. While the worker stands on the canonical chain, all its contracts are canonical.
 */
export async function listFungibleTokens(
  sql: Sql,
  filter: FtFilter,
  order: FtOrder,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: TokenRow[] }> {
  const { name, symbol, address, validMetadataOnly } = filter;
  const direction = order.descending ? sql`desc` : sql`asc`;
  const sorted = order.by === 'name' ? sql`lower(t.name) collate "C"` : sql`lower(t.symbol) collate "C"`;
  const rows = await sql<(TokenRow & { total: number })[]>`
    with discovery as materialized (
      select exists (
        select 1 from token_discovery d join blocks b on b.height = d.height and b.index_hash = d.index_hash
      ) as canonical
    ), found as materialized (
      select c.id, ${sorted} as sort_key
      from tokens t
      join token_contracts c on c.id = t.contract
      where t.class = ${constant(sql, tokenClasses.ft)}
        ${name === undefined ? sql`` : sql`and position(lower(${name}::text) in lower(t.name)) > 0`}
        ${symbol === undefined ? sql`` : sql`and lower(t.symbol) = lower(${symbol}::text)`}
        ${address === undefined ? sql`` : sql`and starts_with(c.principal, ${address}::text)`}
        ${validMetadataOnly ? sql`and t.metadata is not null` : sql``}
        and (
          (select d.canonical from discovery d)
          or exists (select 1 from principals p join contracts k on k.contract = p.id where p.name = c.name)
        )
    ), page as materialized (
      select f.id, f.sort_key from found f order by f.sort_key ${direction} nulls last, f.id limit ${limit} offset ${offset}
    ), counted as (
      select count(*)::int as total from found
    )
    select n.total, ${tokenColumns(sql)}, t.metadata
    from counted n
    left join (
      page g
      join token_contracts c on c.id = g.id
      ${deployment(sql)}
      join tokens t on t.contract = c.id and t.number = 1
    ) on true
    order by g.sort_key ${direction} nulls last, g.id
  `;
  return { total: rows[0]?.total ?? 0, rows: rows.filter(row => row.principal !== null) };
}

/** The last block that was searched for tokens; undefined before the first. */
export async function findSearchedBlock(sql: Sql): Promise<{ height: number; index_hash: Buffer } | undefined> {
  const [row] = await sql<{ height: number; index_hash: Buffer }[]>`
    select d.height, d.index_hash from token_discovery d where d.height > 0
  `;
  return row;
}
