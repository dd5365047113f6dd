import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../../src/db/embedded/embedded.ts';
import { killServer } from '../../src/db/embedded/server.ts';

export const isRoot = process.getuid?.() === 0;

/** Small and quick: none of these tests asks whether a power cut is survived. */
const quick = { fsync: 'off', shared_buffers: '16MB' };

/** A folder that everybody can enter, gone when the test ends together with a server left running in it. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-embedded-'));
  chmodSync(folder, 0o755);
  t.onTestFinished(async () => {
    await killServer(join(folder, 'data', 'postgres', 'cluster'));
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Starts a server that stops with the test at the latest. */
export async function start(t: TestContext, options: EmbeddedOptions): Promise<Embedded> {
  const server = await startEmbedded({ ...options, settings: { ...quick, ...options.settings } });
  t.onTestFinished(() => server.stop());
  return server;
}

/** The value that the server answers, if any. */
export async function ask<T>(url: string, statement: string): Promise<T> {
  const sql = connect(url, { max: 1, name: 'test' });
  try {
    const [row] = await sql.unsafe<{ value: T }[]>(statement);
    return row?.value as T;
  } finally {
    await sql.end();
  }
}

export const serverPid = (url: string) =>
  ask<number>(url, `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as value`);

export type Child = {
  process: ChildProcess;
  url: string;
  /** Of the server. */
  pid: number;
  /** The next line of output, parsed. */
  next(): Promise<Record<string, unknown>>;
  exit: Promise<unknown>;
};

/** Starts the server from another process, in a process group of its own; needs an up-to-date dist. */
export async function startChild(t: TestContext, options: EmbeddedOptions): Promise<Child> {
  const script = fileURLToPath(new URL('embedded-child.mjs', import.meta.url));
  const argument = JSON.stringify({ ...options, settings: { ...quick, ...options.settings } });
  const child = spawn(process.execPath, [script, argument], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  t.onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const exit = once(child, 'exit');
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? '{}') as Record<string, unknown>;
  const first = (await next()) as { url: string; pid: number };
  return { process: child, ...first, next, exit };
}
