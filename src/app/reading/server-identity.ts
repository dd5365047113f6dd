import { describeNetwork } from '@cairn-stacks/codec/network';
import type { Sql } from '../../db/client.ts';
import { readMigrations } from '../../db/migrate.ts';
import { findSystemIdentifier } from '../../db/system-identifier.ts';
import { findIdentity } from '../identity.ts';

/** What tells servers apart, and what tells a replica of a primary from other servers. */
type ServerRow = {
  database: string;
  standby: boolean;
  started_at: Date;
  system: string | null;
};

/** A journal entry; a replica has the same entries as its primary. */
type EntryRow = { seq: bigint; event_id: bigint; height: number; kind: number; index_hash: Buffer };

/**
 * Why a server cannot be read from instead of the primary; undefined if it can. Without a primary (it does not respond) only
 * what the server says itself is checked.
 */
export async function findMismatch(replica: Sql, primary: Sql | undefined): Promise<string | undefined> {
  const missing = await listMissingMigrations(replica);
  if (missing.length > 0) return `its tables are older than this program (${missing[0]} is missing)`;
  const server = await findServer(replica);
  if (!primary) return server.standby ? undefined : PROMOTED;
  const [its, ours] = [await findIdentity(replica), await findIdentity(primary)];
  if (its && ours && its.network.chainId !== ours.network.chainId) {
    return `it holds ${describeNetwork(its.network)}, the primary ${describeNetwork(ours.network)}`;
  }
  const main = await findServer(primary);
  if (server.system !== null && main.system !== null && server.system !== main.system) {
    return 'it is not a replica of the primary: its system identifier is another one';
  }
  if (server.database !== main.database) return `it is another database of the primary's server: ${server.database}`;
  const same = server.started_at.getTime() === main.started_at.getTime();
  if (!server.standby && !same) return PROMOTED;
  return await findDivergence(replica, primary);
}

const PROMOTED = 'it accepts writes and is not the primary: it was promoted, or it is the primary of another cluster';

async function listMissingMigrations(sql: Sql): Promise<string[]> {
  const [found] = await sql<{ exists: boolean }[]>`select to_regclass('public.migrations') is not null as exists`;
  const applied = found!.exists ? await sql<{ name: string }[]>`select m.name from public.migrations m` : [];
  const names = new Set(applied.map(({ name }) => name));
  return readMigrations().flatMap(({ name }) => (names.has(name) ? [] : [name]));
}

async function findServer(sql: Sql): Promise<ServerRow> {
  const [row] = await sql<Omit<ServerRow, 'system'>[]>`
    select
      current_database() as database,
      pg_is_in_recovery() as standby,
      pg_postmaster_start_time() as started_at
  `;
  return { ...row!, system: await findSystemIdentifier(sql) };
}

/** Compares the last journal entry of the replica with the entry of the same number on the primary. */
async function findDivergence(replica: Sql, primary: Sql): Promise<string | undefined> {
  const [last] = await replica<EntryRow[]>`
    select j.seq, j.event_id, j.height, j.kind, j.index_hash from journal j order by j.seq desc limit 1
  `;
  if (!last) return undefined;
  const [same] = await primary<EntryRow[]>`
    select j.seq, j.event_id, j.height, j.kind, j.index_hash from journal j where j.seq = ${last.seq}
  `;
  if (!same) return `it has journal entry ${last.seq}, which the primary does not have`;
  const equal =
    same.event_id === last.event_id &&
    same.height === last.height &&
    same.kind === last.kind &&
    same.index_hash.equals(last.index_hash);
  return equal ? undefined : `its journal entry ${last.seq} differs from that of the primary`;
}
