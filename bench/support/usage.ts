import { readdirSync, readFileSync } from 'node:fs';
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

/** CPU time of the whole database server so far, processes that have ended included. */
export async function databaseCpuSeconds(sql: Pool): Promise<number | undefined> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  try {
    const server = Number(fields(row!.pid)[1]);
    const children = readdirSync('/proc').filter(name => /^\d+$/.test(name) && parentOf(name) === server);
    const sum = children.reduce((total, pid) => total + cpuTicks(Number(pid), false), cpuTicks(server, true));
    return sum / ticks;
  } catch {
    return undefined;
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
