import { zonefileText } from '../../chain/names/zonefile.ts';
import type { Pool, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { findLatestZonefile, findSubdomainZonefile, nameError } from './lookup-view.ts';
import { findZonefile as findZonefileOfName } from './names-queries.ts';

/** The current zonefile of a name or a subdomain. */
export async function findCurrentZonefile(pool: Pool, name: string) {
  const zonefile = await inSnapshot(pool, sql => findLatestZonefile(sql, name));
  if (zonefile === undefined) throw nameError(404, 'No such name or zonefile does not exist');
  return { zonefile };
}

/** A zonefile that a name or a subdomain has or had, by its hash; undefined where it is not valid hex. */
export async function findZonefile(sql: Sql, name: string, hash: Uint8Array | undefined) {
  const content =
    hash && ((await findZonefileOfName(sql, name, hash)) ?? (await findSubdomainZonefile(sql, name, hash)));
  if (content === undefined) throw nameError(404, 'No such name or zonefile');
  return { zonefile: zonefileText(content) };
}
