import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { Sql } from '../../db/client.ts';
import { startsWithAddress } from '../principals/principal-pattern.ts';
import { listPrimaryNames } from './lists-queries.ts';

/** Adds the primary names, as of the tip, of all principals that a response shows: a map in `primary_names`. */
export async function addNames(sql: Sql, body: unknown): Promise<unknown> {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body;
  const shown = new Set<string>();
  collect(shown, body);
  const principals = [...shown].filter(isPrincipal);
  const names = await listPrimaryNames(sql, principals.map(principalToBytes), 'tip');
  const found = principals.flatMap((principal, i) => (names[i] === undefined ? [] : [[principal, names[i].name]]));
  return { ...body, primary_names: Object.fromEntries(found) };
}

function collect(shown: Set<string>, value: unknown): void {
  if (typeof value === 'string') {
    if (startsWithAddress(value)) shown.add(value);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      if (startsWithAddress(key)) shown.add(key);
      collect(shown, inner);
    }
  }
}
