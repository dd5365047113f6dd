import type { Pool, Sql } from '../../db/client.ts';

/** Limits of a key; null: those of clients without a key. */
export type KeyLimits = { per_second: number | null; burst: number | null; max_open: number | null };

export type ApiKeyRow = KeyLimits & {
  id: bigint;
  name: string;
  hash: Buffer;
  /** Its owner may have chainhooks. */
  hooks: boolean;
  created_at: Date;
  revoked_at: Date | null;
};

/** The channel on which a change of the keys is announced. */
export const KEYS_CHANNEL = 'cairn_api_keys';

/** A number that grows with every change of the keys; 0 if there are none. */
export async function findKeysChange(sql: Sql): Promise<number> {
  const [row] = await sql<{ change: bigint }[]>`select coalesce(max(k.change), 0)::int8 as change from api_keys k`;
  return Number(row!.change);
}

/** All keys, revoked ones included, oldest first. */
export async function listKeys(sql: Sql): Promise<ApiKeyRow[]> {
  return await sql<ApiKeyRow[]>`
    select k.id, k.name, k.hash, k.hooks, k.per_second, k.burst, k.max_open, k.created_at, k.revoked_at
    from api_keys k
    order by k.id
  `;
}

/** The valid key with this hash. */
export async function findKey(sql: Sql, hash: Uint8Array): Promise<Pick<ApiKeyRow, 'name' | 'hooks'> | undefined> {
  const [row] = await sql<Pick<ApiKeyRow, 'name' | 'hooks'>[]>`
    select k.name, k.hooks from api_keys k where k.hash = ${hash} and k.revoked_at is null
  `;
  return row;
}

/** Stores a key; false if another key with this name is in use. */
export async function addKey(
  pool: Pool,
  name: string,
  hash: Uint8Array,
  limits: KeyLimits,
  hooks: boolean,
): Promise<boolean> {
  const { per_second, burst, max_open } = limits;
  return await pool.begin(async sql => {
    await lockKeys(sql);
    const rows = await sql`
      insert into api_keys (name, hash, per_second, burst, max_open, hooks, change)
      select ${name}, ${hash}, ${per_second}::int, ${burst}::int, ${max_open}::int, ${hooks}, ${await nextChange(sql)}
      where not exists (select from api_keys k where k.name = ${name} and k.revoked_at is null)
      returning id
    `;
    if (rows.length > 0) await announce(sql);
    return rows.length > 0;
  });
}

/** Revokes the key of a name; false if there is none. */
export async function revokeKey(pool: Pool, name: string): Promise<boolean> {
  return await pool.begin(async sql => {
    await lockKeys(sql);
    const rows = await sql`
      update api_keys k
      set revoked_at = now(), change = ${await nextChange(sql)}
      where k.name = ${name} and k.revoked_at is null
      returning k.id
    `;
    if (rows.length > 0) await announce(sql);
    return rows.length > 0;
  });
}

/** One change at a time: a reader that has seen a number has seen all changes before it. */
const lockKeys = (sql: Sql) => sql`lock table api_keys in share row exclusive mode`;

const nextChange = async (sql: Sql) => (await findKeysChange(sql)) + 1;

const announce = (sql: Sql) => sql`select pg_notify(${KEYS_CHANNEL}, '')`;
