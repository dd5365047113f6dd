import { revision } from '../../cache/revision.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';

/** Whether any transaction ever touched an account, those in unconfirmed microblocks included. */
export async function hasHistory(sql: Sql, principal: Uint8Array): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select
      from principals p
      join principal_transactions h on h.principal = p.id
      where p.name = ${principal}
    ) as found
  `;
  return row?.found ?? false;
}

/** The names behind some keys, in the order of the keys. */
export async function listPrincipalNames(
  sql: Sql,
  keys: readonly number[],
): Promise<{ name: Buffer; version: string }[]> {
  return await sql<{ name: Buffer; version: string }[]>`
    select p.name, ${revision(sql)} as version
    from unnest(${arrayLiteral(keys)}::int[]) with ordinality as w (id, n)
    join principals p on p.id = w.id
    order by w.n
  `;
}
