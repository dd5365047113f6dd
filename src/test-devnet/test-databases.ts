import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../app/database.ts';
import { connect, type Pool, withDatabase } from '../db/client.ts';
import { startEmbedded } from '../db/embedded/embedded.ts';
import { isAlive, processIdentity } from '../db/embedded/lock.ts';
import { migrate, readMigrations } from '../db/migrate.ts';

/** Several devnets of one machine share a server; each takes about 30 connections. */
const connections = 400;

/** Speed before safety: what a test writes need not survive a power failure. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: String(connections),
  shared_buffers: '128MB',
  // A small write-ahead log is recycled in memory.
  max_wal_size: '256MB',
};

/** Serializes the creation of the template between processes. */
const templateLock = 0x63_61_69_72;

/**
 * A migrated database of its own on a server that all devnets of this user share. The first use creates the server and a
 * migrated template, which takes some seconds; later uses copy the template.
 */
export async function openTestDatabase(log: (message: string) => void): Promise<Database> {
  const dataDir = join(tmpdir(), `cairn-devnet-${userInfo().uid}`);
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o755);
  const server = await startEmbedded({ dataDir, settings, log });
  const admin = connect(withDatabase(server.url, 'postgres'), { max: 1, name: 'cairn devnet setup' });
  const name = `devnet_${process.pid}_${randomBytes(6).toString('hex')}`;
  try {
    await removeLeftovers(admin);
    const template = await ensureTemplate(admin, server.url);
    await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`;
    await admin.unsafe(`comment on database ${name} is '${processIdentity(process.pid)}'`);
  } catch (error) {
    await admin.end({ timeout: 1 });
    await server.stop();
    throw error;
  }
  return {
    url: withDatabase(server.url, name),
    async stop() {
      await admin`drop database if exists ${admin(name)} with (force)`;
      await admin.end({ timeout: 1 });
      await server.stop();
    },
  };
}

/** The name of a template with the tables of this version; creates it the first time. */
async function ensureTemplate(admin: Pool, url: string): Promise<string> {
  const last = readMigrations().at(-1)!;
  const name = `template_${last.name.slice(0, 4)}_${last.checksum.slice(0, 12)}`;
  const exists = async () => {
    const rows = await admin`select from pg_database where datname = ${name} and datistemplate`;
    return rows.length > 0;
  };
  if (await exists()) return name;
  await admin`select pg_advisory_lock(${templateLock})`;
  try {
    if (await exists()) return name;
    await admin`drop database if exists ${admin(name)} with (force)`;
    await admin`create database ${admin(name)} strategy file_copy`;
    await migrate(withDatabase(url, name));
    // Only a complete template is marked as one.
    await admin`alter database ${admin(name)} is_template true`;
    return name;
  } finally {
    await admin`select pg_advisory_unlock(${templateLock})`;
  }
}

/** Drops the databases of processes that ended without stopping their devnets. */
async function removeLeftovers(admin: Pool): Promise<void> {
  const found = await admin<{ name: string; owner: string | null }[]>`
    select d.datname as name, shobj_description(d.oid, 'pg_database') as owner
    from pg_database d
    where d.datname like 'devnet\\_%'
  `;
  for (const { name, owner } of found) {
    // Without an owner, it is being created.
    if (owner !== null && !isAlive(owner)) await admin`drop database if exists ${admin(name)} with (force)`;
  }
}
