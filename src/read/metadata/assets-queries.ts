import { tokenClasses } from '../../chain/tokens/token-notification.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import type { TokenKey } from './tokens-queries.ts';

/** A token of an asset; a fungible one has number 1. */
export type AssetKey = TokenKey & { asset: string; fungible: boolean };

/** Name, symbol and decimals of a token; the position is that of its key. */
export type AssetMetadataRow = {
  position: number;
  name: string | null;
  symbol: string | null;
  decimals: number | null;
};

/** What is known of some tokens of canonical contracts, in one statement. */
export async function listAssetMetadata(sql: Sql, keys: readonly AssetKey[]): Promise<AssetMetadataRow[]> {
  return await sql<AssetMetadataRow[]>`
    select w.n::int as position, coalesce(t.name, t.metadata ->> 'name') as name, t.symbol, t.decimals
    from unnest(
      ${arrayLiteral(keys.map(({ contract }) => contract))}::bytea[],
      ${keys.map(({ number }) => String(number))}::numeric[],
      ${keys.map(({ asset }) => asset)}::text[],
      ${keys.map(({ fungible }) => String(fungible))}::bool[]
    ) with ordinality as w (name, number, asset, fungible, n)
    join token_contracts c on c.name = w.name
    join principals p on p.name = c.name
    join contracts k on k.contract = p.id
    join tokens t on t.contract = c.id and t.number = w.number
    where t.read_at is not null
      and case when w.fungible then c.class = ${tokenClasses.ft} and c.asset = w.asset else c.class <> ${tokenClasses.ft} end
  `;
}
