import type { Pool } from '../../db/client.ts';
import { addKey, type KeyLimits } from './key-queries.ts';
import { hashOfKey, newKey } from './key-text.ts';

/** Stores a new key and returns its text, which cannot be read again; undefined if the name is in use. */
export async function issueKey(sql: Pool, name: string, limits: KeyLimits, hooks = false): Promise<string | undefined> {
  const key = newKey();
  const added = await addKey(sql, name, Buffer.from(hashOfKey(key), 'base64'), limits, hooks);
  return added ? key : undefined;
}
