import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../db/client.ts';
import type { Log } from '../../log.ts';
import { readManifest, type StoredManifest } from './manifest.ts';
import { openStore, parseAddress } from './open-store.ts';
import { type RestoreProgress, RestoreRunning, restoreSnapshot } from './restore.ts';
import { inspectTarget } from './restore-state.ts';
import type { StoreOptions } from './store.ts';

const REPORT_MS = 10_000;
const RETRY_MS = 1000;

export type SnapshotStart = {
  /** `URL` or `URL#NAME`. */
  address: string;
  storeOptions: StoreOptions;
  url: string;
  sql: Pool;
  /** Throws if the snapshot is of another chain. */
  check: (snapshot: StoredManifest) => Promise<void>;
  log: Log;
  halted: () => boolean;
};

/** Fills an empty database from a snapshot as part of a start; continues a restore that was interrupted. */
export async function beginWithSnapshot(start: SnapshotStart): Promise<void> {
  const { url, sql, check, log, halted } = start;
  if ((await inspectTarget(sql, undefined)) === 'in use') {
    log.info('CAIRN_SNAPSHOT has no effect: the database already holds a chain');
    return;
  }
  const { store: address, name } = parseAddress(start.address);
  const store = await openStore(address, start.storeOptions);
  const stop = new AbortController();
  const watch = setInterval(() => halted() && stop.abort(new Error('stopped while starting')), 200);
  try {
    const snapshot = await readManifest(store, name);
    await check(snapshot);
    log.info(`restoring the snapshot ${snapshot.name} of ${store.url}`);
    const started = performance.now();
    const options = { url, store, snapshot, verify: true, onProgress: reporter(log), signal: stop.signal };
    await untilFree(() => restoreSnapshot({ ...options, log: message => log.info(message) }), log, sql, stop.signal);
    log.info(`the snapshot is restored in ${Math.round((performance.now() - started) / 1000)} s`);
  } finally {
    clearInterval(watch);
    store.close();
  }
}

/** Logs the progress of each step every few seconds, with the time left. */
function reporter(log: Log): (progress: RestoreProgress) => void {
  let current: { step: string; started: number } | undefined;
  let next = performance.now() + REPORT_MS;
  return ({ step, done, total }) => {
    const now = performance.now();
    if (current?.step !== step) current = { step, started: now };
    if (now < next) return;
    next = now + REPORT_MS;
    const seconds = Math.max(now - current.started, 1) / 1000;
    const left = Math.round((total - done) / Math.max(done / seconds, 1));
    const [megabytes, rate] = [done / 1e6, done / 1e6 / seconds].map(Math.round);
    log.info(
      { done_mb: megabytes, mb_per_s: rate, seconds_left: left },
      `${step} the snapshot: ${Math.round((100 * done) / Math.max(total, 1))} %, ${left} s left`,
    );
  };
}

/** Repeats a restore while another process runs one; when that one has ended, nothing is left to do. */
async function untilFree(restore: () => Promise<void>, log: Log, sql: Pool, signal: AbortSignal): Promise<void> {
  for (let waited = false; ; waited = true) {
    signal.throwIfAborted();
    if (waited && (await inspectTarget(sql, undefined)) === 'in use') return;
    try {
      return await restore();
    } catch (error) {
      if (!(error instanceof RestoreRunning)) throw error;
      if (!waited) log.info('another process restores the snapshot; waiting for it');
      await sleep(RETRY_MS);
    }
  }
}
