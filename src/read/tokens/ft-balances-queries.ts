import { namedState } from '../../cache/tip-queries.ts';
import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';
import { touchedAssets } from '../principals/touched-assets-queries.ts';

/** What an account has of one fungible token. */
export type FtBalanceRow = { contract: Buffer; name: string; balance: string; sent: string; received: string };

/** Every token the principal ever touched as of a block, those it has no more of included. */
export async function listFtBalances(sql: Sql, principal: Uint8Array, asOf: AsOf): Promise<FtBalanceRow[]> {
  return await sql<FtBalanceRow[]>`
    select t.contract, t.name, t.received - t.sent as balance, t.sent, t.received, ${namedState(sql)}
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
  const height = asOf === 'tip' ? sql`f.height` : sql`(select m.height from (${asOfBlock(sql, asOf)}) m)`;
  const [row] = await sql<{ balance: string | null }[]>`
    select
      (
        select coalesce(b.received, 0) - coalesce(b.sent, 0)
        from ft_balances b
        where b.principal = (select p.id from principals p where p.name = ${principal})
          and b.asset = (
            select a.id
            from principals c
            join assets a on a.contract = c.id and a.name = ${token.name}
            where c.name = ${token.contract}
          )
          and b.height <= ${height}
        order by b.height desc
        limit 1
      ) as balance,
      ${namedState(sql)}
    from fold_position f
  `;
  return row?.balance ?? undefined;
}
