import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endOnSignal } from './cleanup.ts';
import { freePort } from './free-port.ts';

const program = process.env.CAIRN_TEST_NATS ?? 'nats-server';

/** A server of NATS that can be killed; folder and port stay the same. */
export type NatsServer = {
  address: string;
  /** Kills it, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a server; undefined where the program is not installed. */
export async function startNatsServer(): Promise<NatsServer | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-nats-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<boolean> => {
    const started = spawn(program, ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
    const failed = once(started, 'error').then(() => false);
    const begun = await Promise.race([once(started, 'spawn').then(() => true), failed]);
    if (!begun) return false;
    child = started;
    while (!(await accepts(port))) await sleep(10);
    return true;
  };
  const kill = async () => {
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    child = undefined;
    await exited;
  };
  const forget = endOnSignal(kill);
  const stop = async () => {
    forget();
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  if (!(await start())) {
    await stop();
    return undefined;
  }
  const restart = async () => {
    await kill();
    await start();
  };
  return { address: `127.0.0.1:${port}`, restart, stop };
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
