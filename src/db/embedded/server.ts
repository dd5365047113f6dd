import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.ts';
import { isAlive, processIdentity } from './lock.ts';

/** The content of postmaster.pid. */
export type Postmaster = { pid: number; port: number; socketFolder: string; listen: string; status: string };

/** Reads postmaster.pid, which a killed server leaves behind. */
export function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const [pid, , , port, socketFolder = '', listen = '', , status = ''] = lines;
    return { pid: Number(pid), port: Number(port), socketFolder, listen, status: status.trim() };
  } catch {
    return undefined;
  }
}

/** Identity of the server process of this cluster, or undefined if the pid is dead or belongs to another program. */
export function serverIdentity(cluster: string): string | undefined {
  const pid = readPostmaster(cluster)?.pid;
  if (!pid) return undefined;
  const identity = processIdentity(pid);
  const command = identity === undefined ? '' : commandLine(pid);
  return command.includes('postgres') && command.includes(cluster) ? identity : undefined;
}

/** Starts the server in its own session, so that a signal to the process group of Cairn does not reach it. */
export function spawnServer(binary: string, cluster: string, args: string[], log: string, account?: Account): string {
  const foreign = readPostmaster(cluster);
  // A pid file of a killed server whose pid now belongs to another program would prevent the start.
  if (foreign && serverIdentity(cluster) === undefined) rmSync(join(cluster, 'postmaster.pid'), { force: true });
  const output = openSync(log, 'a', 0o600);
  try {
    const child = spawn(binary, ['-D', cluster, ...args], {
      ...account,
      cwd: cluster,
      env: serverEnvironment,
      detached: true,
      stdio: ['ignore', output, output],
    });
    child.on('error', () => {}); // seen as a process without a pid
    child.unref();
    const identity = child.pid === undefined ? undefined : processIdentity(child.pid);
    if (identity === undefined) throw new Error(`PostgreSQL could not be run: ${binary}`);
    return identity;
  } finally {
    closeSync(output);
  }
}

/** A clean environment: a PGOPTIONS or a locale of the caller would change the server. */
export const serverEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Requests a fast shutdown and waits; then stops the server immediately, and it recovers at its next start. */
export async function stopServer(identity: string, timeoutMs: number): Promise<void> {
  const steps = [
    ['SIGINT', timeoutMs],
    ['SIGQUIT', 3_000],
    ['SIGKILL', 3_000],
  ] as const;
  for (const [name, patienceMs] of steps) {
    signal(identity, name);
    if (await gone(identity, patienceMs)) return;
  }
  throw new Error(`PostgreSQL (process ${identity}) does not stop`);
}

/** Stops the server of a cluster that is no longer used. */
export async function killServer(cluster: string): Promise<void> {
  const identity = existsSync(cluster) ? serverIdentity(cluster) : undefined;
  if (identity === undefined) return;
  signal(identity, 'SIGQUIT');
  await gone(identity, 5_000);
}

function signal(identity: string, name: NodeJS.Signals): void {
  if (isAlive(identity)) process.kill(Number.parseInt(identity, 10), name);
}

async function gone(identity: string, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(identity)) {
    if (Date.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    if (process.platform === 'linux') return '';
  }
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
