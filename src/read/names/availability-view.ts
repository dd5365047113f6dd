import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { parseBnsName } from '@cairn-stacks/codec/bns-name';
import type { Static } from 'typebox';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { type Availability, expiryIn, stateAt } from './name-details-schema.ts';
import { findName } from './names-queries.ts';
import { findNamespace } from './namespaces-queries.ts';
import { computedPrice } from './price-view.ts';

type NameAvailability = Static<typeof Availability>;

/**
 * Whether a name can be had, by the newest version that knows its namespace. A revoked name stays taken until its lease and
 * the grace period after it are over, as any other.
 */
export const findAvailability = (pool: Reader, name: string): Promise<NameAvailability> =>
  inSnapshot(pool, sql => judgeAvailability(sql, name));

async function judgeAvailability(sql: Sql, text: string): Promise<NameAvailability> {
  const [label = '', namespaceText = ''] = text.split('.');
  const unavailable: NameAvailability = {
    name: label,
    namespace: namespaceText,
    available: false,
    reason: null,
    price: null,
    version: null,
    owner: null,
    expires: null,
  };
  const parsed = parseBnsName(text);
  if (!parsed) return { ...unavailable, reason: 'invalid_name' };
  const namespace = await findNamespace(sql, parsed.namespace, 'tip');
  if (!namespace) return { ...unavailable, reason: 'unknown_namespace' };
  const price = computedPrice(parsed.name, namespace)?.toString() ?? null;
  const priced = { ...unavailable, price, version: namespace.version };
  const found = await findName(sql, text, 'tip');
  if (found?.owner) {
    const expires = expiryIn(found);
    const lease = stateAt({ ...found, revoked: false }, found);
    const held = { ...priced, owner: principalFromBytes(found.owner), expires };
    if (lease !== 'expired') return { ...held, reason: lease === 'grace' ? 'grace' : 'taken' };
    return { ...held, available: namespace.manager === null, reason: namespace.manager ? 'managed_namespace' : null };
  }
  if (namespace.launched_at === 0) return { ...priced, reason: 'namespace_not_launched' };
  if (namespace.manager) return { ...priced, reason: 'managed_namespace' };
  return { ...priced, available: true };
}
