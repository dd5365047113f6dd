import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import type { FaultBed, Layout } from './fault-bed.ts';

/** Something that happens to the database or to the way to it. */
export type Fault = {
  name: string;
  layouts: readonly Layout[];
  /** Makes it happen and ends it; resolves with the moment from which the database could be used again. */
  inject(bed: FaultBed): Promise<number>;
};

const everywhere: readonly Layout[] = ['embedded', 'tcp', 'unix'];
const proxied: readonly Layout[] = ['tcp', 'unix'];

export const postmasterKilled: Fault = {
  name: 'postmaster killed',
  layouts: everywhere,
  async inject({ server }) {
    server.kill();
    await server.revive();
    return Date.now();
  },
};

export const backendsTerminated: Fault = {
  name: 'backends terminated',
  layouts: everywhere,
  async inject({ server }) {
    for (let i = 0; i < 5; i++) {
      await server.ask(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'cairn %' and pid <> pg_backend_pid()`,
      );
      await sleep(100);
    }
    return Date.now();
  },
};

/** One connection at a time: statements of others must not be affected. */
export const someBackendsTerminated: Fault = {
  name: 'some backends terminated',
  layouts: everywhere,
  async inject({ server }) {
    for (let i = 0; i < 8; i++) {
      await server.ask(
        `select pg_terminate_backend(pid) from (
           select pid from pg_stat_activity where application_name like 'cairn %' order by random() limit 1
         ) a`,
      );
      await sleep(60);
    }
    return Date.now();
  },
};

/** Types with the same values: the effect of a migration on the prepared statements of running processes. */
export const tablesAltered: Fault = {
  name: 'tables altered',
  layouts: everywhere,
  async inject({ server }) {
    // One by one: together they would hold one table while they wait for the other.
    const alter = async (block: string, error: string) => {
      await server.ask(`alter table blocks alter column parent_hash type ${block}`);
      await server.ask(`alter table transactions alter column vm_error type ${error}`);
    };
    const [known] = await server.ask<{ known: boolean }>(
      `select exists (select from pg_type where typname = 'fault_bytes') as known`,
    );
    if (!known!.known) await server.ask('create domain fault_bytes as bytea');
    for (let i = 0; i < 3; i++) {
      await alter('fault_bytes', 'varchar');
      await sleep(100);
      await alter('bytea', 'text');
      await sleep(100);
    }
    return Date.now();
  },
};

const frozen = (milliseconds: number): Fault => ({
  name: `server frozen for ${milliseconds / 1000} s`,
  layouts: everywhere,
  async inject({ server }) {
    const thaw = server.freeze();
    await sleep(milliseconds);
    thaw();
    return Date.now();
  },
});

export const resetDuringResponses: Fault = {
  name: 'connections reset in answers',
  layouts: proxied,
  async inject({ proxy }) {
    for (const bytes of [1, 7, 60, 500]) await proxy!.resetDuringResponses(bytes, 250);
    return Date.now();
  },
};

export const stalled: Fault = {
  name: 'network stalled',
  layouts: proxied,
  async inject({ proxy }) {
    proxy!.stall();
    await sleep(1_500);
    proxy!.resume();
    return Date.now();
  },
};

export const blackholed: Fault = {
  name: 'network blackholed',
  layouts: proxied,
  async inject({ proxy }) {
    proxy!.stall();
    await sleep(4_000);
    proxy!.resetAll();
    proxy!.resume();
    return Date.now();
  },
};

export const flowsForgotten: Fault = {
  name: 'flows forgotten by a router',
  layouts: proxied,
  async inject({ proxy }) {
    proxy!.forget();
    return Date.now();
  },
};

export const primaryMoved: Fault = {
  name: 'primary moved to another port',
  layouts: ['tcp'],
  async inject({ server, proxy }) {
    const port = await freePort();
    await server.move(port);
    proxy!.retarget({ port });
    return Date.now();
  },
};

/** The log has outgrown the files of the write-ahead log, which must not be touched: the server could not go on without it. */
const logBytes = 17 * 2 ** 20;

/** The files of the server may not grow: events that do not fit are rejected until there is space again. */
export const diskFull: Fault = {
  name: 'disk full of the log',
  layouts: everywhere,
  async inject({ server, writes }) {
    const bytes = async () => {
      const [row] = await server.ask<{ bytes: string }>(
        "select pg_relation_size(reltoastrelid) as bytes from pg_class where oid = 'event_log'::regclass",
      );
      return Number(row!.bytes);
    };
    const limit = (size: string) => {
      for (const pid of server.pids()) limitFileSize(pid, size);
    };
    const before = await bytes();
    if (before < logBytes) await mustStore(writes, logBytes - before);
    limit(String(await bytes()));
    let refused = false;
    try {
      // A file grows by some pages more than are needed at once.
      for (let i = 0; i < 40 && !refused; i++) refused = !(await writes.storeFiller(256 << 10));
      if (!refused) throw new Error('the log has grown on a full disk');
    } finally {
      limit('unlimited');
    }
    const back = Date.now();
    await mustStore(writes, 256 << 10);
    return back;
  },
};

async function mustStore(writes: FaultBed['writes'], bytes: number): Promise<void> {
  if (!(await writes.storeFiller(bytes)))
    throw new Error(`an event of ${bytes} bytes was refused though there is room`);
}

/** The soft limit alone, which anybody may raise again. */
export function limitFileSize(pid: number, bytes: string): void {
  try {
    // Root may lack the right to change files of others: it is done as their user.
    const { uid, gid } = statSync(`/proc/${pid}`);
    const user = process.getuid?.() === 0 ? { uid, gid } : {};
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { stdio: 'pipe', ...user });
  } catch (error) {
    // A process of the server may have ended since it was listed.
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: Buffer };
    if (code !== 'ENOENT' && !String(stderr).includes('No such process')) throw error;
  }
}

export const shortFreeze = frozen(3_000);
export const longFreeze = frozen(20_000);

/** Every kind but the long freeze. */
export const faults: readonly Fault[] = [
  postmasterKilled,
  backendsTerminated,
  someBackendsTerminated,
  tablesAltered,
  shortFreeze,
  resetDuringResponses,
  stalled,
  blackholed,
  flowsForgotten,
  primaryMoved,
  diskFull,
];
