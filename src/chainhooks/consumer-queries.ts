import type { Sql } from '../db/client.ts';
import { takeFromSender } from '../webhooks/hook-queries.ts';

/** The encrypted secret that receivers of an owner are sent. */
export type ConsumerRow = { secret: Buffer; secret_key: Buffer };

export async function findConsumer(sql: Sql, owner: string): Promise<ConsumerRow | undefined> {
  const [row] = await sql<ConsumerRow[]>`
    select c.secret, c.secret_key from chainhook_consumers c where c.owner = ${owner}
  `;
  return row;
}

export async function storeConsumer(sql: Sql, owner: string, { secret, secret_key }: ConsumerRow): Promise<void> {
  await sql`
    insert into chainhook_consumers (owner, secret, secret_key)
    values (${owner}, ${secret}, ${secret_key})
    on conflict (owner) do update set secret = excluded.secret, secret_key = excluded.secret_key
  `;
}

export async function deleteConsumer(sql: Sql, owner: string): Promise<void> {
  await sql`delete from chainhook_consumers where owner = ${owner}`;
}

/** The webhooks of an owner that send its secret, and the keys that all secrets are encrypted with. */
export async function listHooksOf(sql: Sql, owner: string): Promise<{ id: number; name: string }[]> {
  return await sql<{ id: number; name: string }[]>`
    select w.id, w.name from chainhooks c join webhooks w on w.id = c.hook where c.owner = ${owner} order by w.id
  `;
}

/** Whether a stored secret is encrypted with another key. */
export async function hasOtherKey(sql: Sql, key: Buffer): Promise<boolean> {
  const [row] = await sql<{ other: boolean }[]>`
    select exists (select from webhooks w where w.secret_key <> ${key})
      or exists (select from chainhook_consumers c where c.secret_key <> ${key}) as other
  `;
  return row!.other;
}

/** Stores the secret of a webhook; whoever sends begins again with it. */
export async function updateSecret(sql: Sql, hook: number, secret: Buffer): Promise<void> {
  await sql`
    update webhooks set secret = ${secret}, ${takeFromSender(sql)} where id = ${hook}
  `;
}
