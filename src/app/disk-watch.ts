import { statfs } from 'node:fs/promises';

export type DiskLog = { warn(details: object, message: string): void };

const everyMs = 60_000;
/** Free share and free bytes below which a warning is logged. */
const lowShare = 0.1;
const lowBytes = 5e9;

/** Warns before the disk is full; with a full disk the observer rejects events until space is free again. */
export class DiskWatch {
  readonly #timer: NodeJS.Timeout;

  constructor(folder: string, log: DiskLog, onFree: (bytes: number) => void) {
    let warned = false;
    const check = async () => {
      const { bavail, blocks, bsize } = await statfs(folder);
      const free = bavail * bsize;
      onFree(free);
      const low = isLow(free, blocks * bsize);
      if (low && !warned) {
        log.warn({ folder, freeMb: Math.round(free / 1e6) }, 'the disk is nearly full: free space, or prune the log');
      }
      warned = low;
    };
    const tryCheck = () =>
      check().catch(error => log.warn({ error: (error as Error).message }, 'cannot read the free disk space'));
    this.#timer = setInterval(tryCheck, everyMs);
    this.#timer.unref();
    void tryCheck();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** True if a warning is due. */
export const isLow = (free: number, size: number) => free < lowBytes || free < size * lowShare;
