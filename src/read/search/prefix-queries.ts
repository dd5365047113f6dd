import { tokenClasses } from '../../chain/tokens/token-notification.ts';
import { constant, type Sql } from '../../db/client.ts';
import { MAX_HITS } from './search-queries.ts';

export type FoundName = { name: string; version: number; owner: Buffer | null };
export type FoundToken = { principal: string; asset: string; name: string | null; symbol: string | null };

/** The first text that does not begin so, in the order of the C collation. */
const behind = (prefix: string) => `${prefix}\u{10ffff}`;

/** Names of either version of BNS that begin so, in alphabetical order. */
export async function listNamesFrom(sql: Sql, prefix: string): Promise<FoundName[]> {
  return await sql<FoundName[]>`
    select n.name, n.version, o.name as owner
    from (
      select n.name, n.version, n.owner
      from names n
      where not n.hidden and n.name >= ${prefix} and n.name < ${behind(prefix)}
      order by n.name
      limit ${MAX_HITS}
    ) n
    left join principals o on o.id = n.owner
    order by n.name
  `;
}

/** Fungible tokens of canonical contracts whose symbol or name begins so, upper and lower case alike. */
export async function listTokensFrom(sql: Sql, prefix: string): Promise<FoundToken[]> {
  const text = prefix.toLowerCase();
  const first = (column: 'symbol' | 'name') => sql`
    (
      select t.contract, t.number
      from tokens t
      where t.class = ${constant(sql, tokenClasses.ft)}
        and lower(${sql.unsafe(`t.${column}`)}) collate "C" >= ${text} and lower(${sql.unsafe(`t.${column}`)}) collate "C" < ${behind(text)}
      order by lower(${sql.unsafe(`t.${column}`)}) collate "C", t.contract
      limit ${MAX_HITS}
    )
  `;
  return await sql<FoundToken[]>`
    select c.principal, c.asset, t.name, t.symbol
    from (${first('symbol')} union ${first('name')}) w
    join tokens t on t.contract = w.contract and t.number = w.number
    join token_contracts c on c.id = w.contract
    join principals p on p.name = c.name
    join contracts k on k.contract = p.id and k.height <= (select f.height from fold_position f)
    where c.asset is not null
    order by c.principal
  `;
}
