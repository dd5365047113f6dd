import { statfs } from 'node:fs/promises';

export type DiskLog = { warn(details: object, message: string): void };

const everyMs = 60_000;
/** Below this share, or below this many bytes, there is time to act but not to wait. */
const lowShare = 0.1;
const lowBytes = 5e9;

/** Warns before the disk is full: a full disk makes the observer refuse events until there is room again. */
export class DiskWatch {
  readonly #timer: NodeJS.Timeout;

  constructor(folder: string, log: DiskLog, onFree: (bytes: number) => void) {
    let warned = false;
    const look = async () => {
      const { bavail, blocks, bsize } = await statfs(folder);
      const free = bavail * bsize;
      onFree(free);
      const low = isLow(free, blocks * bsize);
      if (low && !warned) {
        log.warn({ folder, freeMb: Math.round(free / 1e6) }, 'the disk is nearly full: make room, or prune the log');
      }
      warned = low;
    };
    const tryLook = () => look().catch(error => log.warn({ error: (error as Error).message }, 'cannot see the disk'));
    this.#timer = setInterval(tryLook, everyMs);
    this.#timer.unref();
    void tryLook();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Whether it is time to warn. */
export const isLow = (free: number, size: number) => free < lowBytes || free < size * lowShare;
