import { randomBytes } from 'node:crypto';
import type { Pool, Sql } from '../db/client.ts';
import { PublicError } from '../errors.ts';
import { lockHooks } from '../webhooks/hook-queries.ts';
import { refusals } from '../webhooks/manage.ts';
import type { SecretBox, SecretKeys } from '../webhooks/secret-box.ts';
import {
  deleteConsumer,
  findConsumer,
  hasOtherKey,
  listHooksOf,
  storeConsumer,
  updateSecret,
} from './consumer-queries.ts';

const otherKey = () => new PublicError(409, refusals['other key'](''));
const labelOf = (owner: string) => `consumer ${owner}`;

/** The value of the header `authorization` for a secret; empty without one. */
const headerOf = (secret: string | null) => (secret === null ? '' : `Bearer ${secret}`);

/** The secret of an owner; null without one. */
export async function readSecret(sql: Sql, keys: SecretKeys, owner: string): Promise<string | null> {
  const row = await findConsumer(sql, owner);
  if (!row) return null;
  const secret = (await keys.find())?.open(row.secret, labelOf(owner));
  if (secret === undefined) throw otherKey();
  return secret;
}

/** A new secret for an owner, in place of an earlier one: from now on requests have it. */
export async function rotateSecret(pool: Pool, keys: SecretKeys, owner: string): Promise<string> {
  const box = await keys.findOrMake();
  const secret = randomBytes(32).toString('hex');
  await pool.begin(async sql => {
    await lockHooks(sql);
    if (await hasOtherKey(sql, box.id)) throw otherKey();
    await storeConsumer(sql, owner, { secret: box.seal(secret, labelOf(owner)), secret_key: box.id });
    await handOut(sql, box, owner, secret);
  });
  return secret;
}

/** Requests of an owner have no secret any more. */
export async function removeSecret(pool: Pool, keys: SecretKeys, owner: string): Promise<void> {
  const box = await keys.findOrMake();
  await pool.begin(async sql => {
    await lockHooks(sql);
    if (await hasOtherKey(sql, box.id)) throw otherKey();
    await deleteConsumer(sql, owner);
    await handOut(sql, box, owner, null);
  });
}

/** Gives a new hook the secret of its owner. */
export async function adoptSecret(
  sql: Sql,
  { keys, box }: { keys: SecretKeys; box: SecretBox },
  owner: string,
  hook: { id: number; name: string },
): Promise<void> {
  const secret = await readSecret(sql, keys, owner);
  await updateSecret(sql, hook.id, box.seal(headerOf(secret), hook.name));
}

async function handOut(sql: Sql, box: SecretBox, owner: string, secret: string | null): Promise<void> {
  for (const { id, name } of await listHooksOf(sql, owner))
    await updateSecret(sql, id, box.seal(headerOf(secret), name));
}
