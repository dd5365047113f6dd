import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connect, withDatabase } from '../../src/db/client.ts';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import { killServer } from '../../src/db/embedded/server.ts';
import { liveUsers } from '../../src/db/embedded/users.ts';
import { migrate } from '../../src/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run. */
    serverUrl: string;
    /** Why there is no migrated template, or empty: tests that need no database run all the same. */
    templateProblem: string;
  }
}

const prefix = 'cairn-test-';

/** One PostgreSQL for the whole run, with a migrated template that test files clone. */
export default async function setup(project: TestProject) {
  await removeLeftovers();
  const dataDir = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(dataDir, 0o755);
  const server = await startEmbedded({
    dataDir,
    // Speed before safety: what a test writes need not outlive a power cut.
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200', shared_buffers: '128MB' },
  });
  project.provide('serverUrl', server.url);
  project.provide('templateProblem', await makeTemplate(server.url));
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

async function makeTemplate(url: string): Promise<string> {
  const sql = connect(url, { max: 1, name: 'test setup' });
  try {
    await sql`create database template_migrated`;
    await migrate(withDatabase(url, 'template_migrated'));
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await sql.end();
  }
}

/** A run that was killed could not clean up after itself. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter(entry => entry.startsWith(prefix))) {
    await removeLeftover(join(tmpdir(), name)).catch(error => {
      if (error.code !== 'ENOENT') throw error; // another run removes it at the same time
    });
  }
}

async function removeLeftover(dataDir: string): Promise<void> {
  const { uid, mtimeMs } = statSync(dataDir);
  const young = Date.now() - mtimeMs < 10 * 60_000; // may be starting, on a busy machine
  if (uid !== process.getuid?.() || young || liveUsers(dataDir) > 0) return;
  const cluster = join(dataDir, 'postgres', 'cluster');
  if (existsSync(cluster)) await killServer(cluster);
  rmSync(dataDir, { recursive: true, force: true });
}
