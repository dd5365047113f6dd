import { nftKey } from '../../chain/tokens/nft-key.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';

/** A token: its contract as a compact principal, and its name. */
export type TokenKey = { contract: Uint8Array; name: string };

/** What an account has of some fungible tokens after a block, in their order. */
export async function listFtAmounts(
  sql: Sql,
  principal: Uint8Array,
  tokens: readonly TokenKey[],
  height: number,
): Promise<bigint[]> {
  if (tokens.length === 0) return [];
  const rows = await sql<{ balance: string }[]>`
    select coalesce(b.received, 0) - coalesce(b.sent, 0) as balance
    from ${tokensOf(sql, tokens)} as w (contract, name, n)
    left join principals c on c.name = w.contract
    left join assets a on a.contract = c.id and a.name = w.name
    left join principals p on p.name = ${principal}
    left join lateral (
      select b.received, b.sent
      from ft_balances b
      where b.principal = p.id and b.asset = a.id and b.height <= ${height}
      order by b.height desc
      limit 1
    ) b on true
    order by w.n
  `;
  return rows.map(({ balance }) => BigInt(balance));
}

/** Which items of collections an account has after a block, in their order. */
export async function listOwned(
  sql: Sql,
  principal: Uint8Array,
  items: readonly (TokenKey & { value: Uint8Array })[],
  height: number,
): Promise<boolean[]> {
  if (items.length === 0) return [];
  const rows = await sql<{ owned: boolean }[]>`
    select coalesce(h.recipient = p.id, false) as owned
    from ${tokensOf(sql, items)} as w (contract, name, n)
    join unnest(${arrayLiteral(items.map(({ value }) => nftKey(value)))}::bytea[]) with ordinality as v (value, n)
      on v.n = w.n
    left join principals c on c.name = w.contract
    left join assets a on a.contract = c.id and a.name = w.name
    left join principals p on p.name = ${principal}
    left join lateral (
      select k.recipient
      from nft_history k
      where k.asset = a.id and k.value = v.value and k.height <= ${height}
      order by k.height desc, k.place desc, k.event_index desc
      limit 1
    ) h on true
    order by w.n
  `;
  return rows.map(({ owned }) => owned);
}

const tokensOf = (sql: Sql, tokens: readonly TokenKey[]) => sql`
  unnest(
    ${arrayLiteral(tokens.map(({ contract }) => contract))}::bytea[],
    ${arrayLiteral(tokens.map(({ name }) => name))}::text[]
  ) with ordinality
`;
