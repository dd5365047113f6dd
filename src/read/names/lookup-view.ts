import { zonefileText } from '../../chain/names/zonefile.ts';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { AsOf } from '../pages/as-of-queries.ts';
import { nameError } from './name-errors.ts';
import { type NameInfo, renderNameInfo, renderSubdomainInfo } from './name-schema.ts';
import { type FoundName, findName } from './names-queries.ts';
import { findResolver, findSubdomain, type SubdomainRow } from './subdomains-queries.ts';

/** Whether a text may be a name of any kind: names are printable ASCII. */
const mayBeName = (text: string) => text.length <= 256 && /^[\x21-\x7e]+$/.test(text);

/** A name with an owner; undefined for revoked, burnt and unknown ones. */
async function findOwnedName(sql: Sql, name: string, asOf: AsOf): Promise<FoundName | undefined> {
  const found = mayBeName(name) ? await findName(sql, name, asOf) : undefined;
  return found && !found.revoked && found.owner ? found : undefined;
}

/** The label and the parent of a name with three labels. */
function subdomainIn(name: string): { label: string; parent: string } | undefined {
  const [label, ...parent] = name.split('.');
  return label !== undefined && parent.length === 2 ? { label, parent: parent.join('.') } : undefined;
}

async function findOwnedSubdomain(sql: Sql, name: string, asOf: AsOf) {
  const parts = mayBeName(name) ? subdomainIn(name) : undefined;
  const parent = parts && (await findOwnedName(sql, parts.parent, asOf));
  return { parent, found: parent && (await findSubdomain(sql, parts!, asOf)) };
}

/** The details of a name or a subdomain, or the resolver of its parent, which may have them. */
export const lookUpName = (pool: Reader, name: string, asOf: AsOf) => inSnapshot(pool, sql => lookUp(sql, name, asOf));

async function lookUp(sql: Sql, name: string, asOf: AsOf): Promise<{ info: NameInfo } | { resolver: string }> {
  if (!subdomainIn(name)) {
    const found = await findOwnedName(sql, name, asOf);
    if (!found) throw nameError(404, `cannot find name ${name}`);
    return { info: renderNameInfo(found) };
  }
  const { parent, found } = await findOwnedSubdomain(sql, name, asOf);
  if (found) return { info: renderSubdomainInfo(found) };
  const resolver = parent && (await findResolver(sql, parent.name, asOf));
  if (resolver === undefined) throw nameError(404, `cannot find subdomain ${name}`);
  if (!isWebAddress(resolver)) throw nameError(404, 'missing resolver from a malformed zonefile');
  return { resolver };
}

/** A zonefile is written by strangers: callers are sent to web servers only. */
const isWebAddress = (text: string) => /^https?:\/\/[^\s/]+/i.test(text) && URL.canParse(text);

/** The zonefile of a name or a subdomain; undefined where there is no such name. */
export async function findLatestZonefile(sql: Sql, name: string): Promise<string | undefined> {
  if (!subdomainIn(name)) {
    const found = await findOwnedName(sql, name, 'tip');
    return found && (found.content ? zonefileText(found.content) : '');
  }
  const { found } = await findOwnedSubdomain(sql, name, 'tip');
  return found && zonefileText(found.content);
}

/** The zonefile of a subdomain, if it has this hash. */
export async function findSubdomainZonefile(sql: Sql, name: string, hash: Uint8Array): Promise<Uint8Array | undefined> {
  if (!subdomainIn(name)) return undefined;
  const found: SubdomainRow | undefined = (await findOwnedSubdomain(sql, name, 'tip')).found;
  return found && Buffer.from(hash).equals(found.zonefile_hash) ? found.content : undefined;
}
