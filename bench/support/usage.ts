import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Pool } from '../../src/db/client.ts';

/** Clock ticks a second of /proc on every Linux that runs Node.js. */
const ticks = 100;

/** Resources used by a process so far; undefined if the system does not report it (anything but Linux). */
export type Usage = { peakMb: number; cpuSeconds: number };

/** Reads the largest resident size so far and the CPU time of a process. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    if (!peak) return undefined; // it has just ended
    return { peakMb: Number(peak[1]) / 1024, cpuSeconds: cpuTicks(pid, false) / ticks };
  } catch {
    return undefined;
  }
}

/** The process that starts all others of the database server. */
export async function serverOf(sql: Pool): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return Number(fields(row!.pid)[1]);
}

/** CPU time of the whole database server so far, processes that have ended included. */
export async function databaseCpuSeconds(sql: Pool): Promise<number | undefined> {
  try {
    const server = await serverOf(sql);
    const children = readdirSync('/proc').filter(name => /^\d+$/.test(name) && parentOf(name) === server);
    const sum = children.reduce((total, pid) => total + cpuTicks(Number(pid), false), cpuTicks(server, true));
    return sum / ticks;
  } catch {
    return undefined;
  }
}

/** Microseconds of CPU time of a process and of the database server since the clock was started. */
export type CpuClock = { read(): Promise<{ process: number; database: number }> };

/**
 * Counts nanoseconds of the scheduler instead of ticks, so that a few hundred requests are enough. Throws if the system does not
 * report them (anything but Linux).
 */
export async function openCpuClock(pid: number, sql: Pool): Promise<CpuClock> {
  const server = String(await serverOf(sql));
  const used = new Map<string, number>();
  /** What these processes used since they were last read; a process that is new counts from its start. */
  const advance = (pids: string[]) => {
    let sum = 0;
    for (const each of pids) {
      const now = schedulerMicros(each);
      sum += Math.max(0, now - (used.get(each) ?? 0));
      used.set(each, now);
    }
    return sum;
  };
  const total = { process: 0, database: 0 };
  return {
    async read() {
      const backends = readdirSync('/proc').filter(name => /^\d+$/.test(name) && parentOf(name) === Number(server));
      total.process += advance([String(pid)]);
      total.database += advance([server, ...backends]);
      return { ...total };
    },
  };
}

/** Microseconds on a processor of all threads of a process; 0 if it has ended. */
function schedulerMicros(pid: string): number {
  let nanoseconds = 0;
  for (const thread of threadsOf(pid)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    } catch (error) {
      if (existsSync(`/proc/${pid}/task/${thread}`)) throw error; // it has not ended meanwhile
    }
  }
  return nanoseconds / 1000;
}

function threadsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    if (existsSync(`/proc/${pid}`)) throw error;
    return [];
  }
}

/** The fields of /proc/PID/stat from the state on: the name before them may hold anything. */
function fields(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function cpuTicks(pid: number, withEnded: boolean): number {
  const all = fields(pid);
  const used = Number(all[11]) + Number(all[12]);
  return withEnded ? used + Number(all[13]) + Number(all[14]) : used;
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(fields(Number(pid))[1]);
  } catch {
    return undefined; // it has ended meanwhile
  }
}
