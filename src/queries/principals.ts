import type { Sql } from '../db/client.ts';

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
