import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';
import { touchedAssets } from '../principals/touched-assets-queries.ts';

/** What an account has of one fungible token. */
export type FtBalanceRow = { contract: Buffer; name: string; balance: string; sent: string; received: string };

/** Every token the principal ever touched as of a block, those it has no more of included. */
export async function listFtBalances(sql: Sql, principal: Uint8Array, asOf: AsOf): Promise<FtBalanceRow[]> {
  return await sql<FtBalanceRow[]>`
    select t.contract, t.name, t.received - t.sent as balance, t.sent, t.received
    from (${touchedAssets(sql, 'ft_balances', principal, asOf)}) t
  `;
}

/** What the account has of one token; undefined when it never touched it. */
export async function findFtBalance(
  sql: Sql,
  principal: Uint8Array,
  token: { contract: Uint8Array; name: string },
  asOf: AsOf = 'tip',
): Promise<string | undefined> {
  const [row] = await sql<{ balance: string }[]>`
    select coalesce(b.received, 0) - coalesce(b.sent, 0) as balance
    from (${asOfBlock(sql, asOf)}) m
    join principals p on p.name = ${principal}
    join principals c on c.name = ${token.contract}
    join assets a on a.contract = c.id and a.name = ${token.name}
    cross join lateral (
      select b.received, b.sent
      from ft_balances b
      where b.principal = p.id and b.asset = a.id and b.height <= m.height
      order by b.height desc
      limit 1
    ) b
  `;
  return row?.balance;
}
