import { totalmem } from 'node:os';

const megabyte = 1 << 20;
const least = 256 * megabyte;
const most = 512 * megabyte;

/** Bytes that a process on this machine takes unless it is told otherwise: an eighth of what the machine or its container has. */
export function defaultMemory(available = availableMemory()): number {
  return Math.min(Math.max(Math.floor(available / 8), least), most);
}

/** Without a limit of the container its size is a number beyond every machine, or zero. */
const availableMemory = () => Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
