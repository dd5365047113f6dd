import { statfs } from 'node:fs/promises';

export type DiskLog = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;

/** Bytes of a disk. */
export type DiskSpace = { free: number; size: number };

export type DiskWatchOptions = {
  /** The folder of the database. */
  folder: string;
  /** Free bytes below which ingest is suspended. */
  reserve: number;
  log: DiskLog;
  onFree: (bytes: number) => void;
  /** Called with the reason when ingest must be suspended, and with undefined when it may go on. */
  onSuspend: (reason: string | undefined) => void;
  readSpace?: (folder: string) => Promise<DiskSpace>;
  everyMs?: number;
};

const EVERY_MS = 1000;
/** Free share and free bytes below which a warning is logged. */
const lowShare = 0.1;
const lowBytes = 5e9;
/** Ingest goes on when so much more than the reserve is free, so that it does not start and stop all the time. */
const ENOUGH = 1.1;

/**
 * Suspends ingest before the disk of the database is full: with a full disk PostgreSQL cannot even serve reads. Ingest goes on
 * by itself when there is space again.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #checking: Promise<void> | undefined;
  #warned = false;
  #unreadable = false;
  /** Why ingest is suspended; undefined while it is not. */
  suspended: string | undefined;

  private constructor(options: DiskWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#check(), options.everyMs ?? EVERY_MS);
    this.#timer.unref();
  }

  /** Reads the free space once, and goes on reading it. */
  static async open(options: DiskWatchOptions): Promise<DiskWatch> {
    const watch = new DiskWatch(options);
    await watch.#check();
    return watch;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): Promise<void> {
    this.#checking ??= this.#read().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #read(): Promise<void> {
    const { folder, log, onFree, readSpace = spaceOf } = this.#options;
    try {
      const { free, size } = await readSpace(folder);
      this.#unreadable = false;
      onFree(free);
      this.#warnIfLow(free, size);
      this.#suspendIfNeeded(free);
    } catch (error) {
      if (!this.#unreadable) log.warn({ error: (error as Error).message }, 'cannot read the free disk space');
      this.#unreadable = true;
    }
  }

  #warnIfLow(free: number, size: number): void {
    const { folder, log } = this.#options;
    const low = isLow(free, size);
    if (low && !this.#warned) {
      log.warn({ folder, freeMb: megabytes(free) }, 'the disk is nearly full: free space, or prune the log');
    }
    this.#warned = low;
  }

  #suspendIfNeeded(free: number): void {
    const { folder, reserve, log, onSuspend } = this.#options;
    if (this.suspended === undefined && free < reserve) {
      this.suspended = reasonOf(free, reserve);
      log.error({ folder, freeMb: megabytes(free) }, `${this.suspended}; free space, or prune the log`);
      onSuspend(this.suspended);
    } else if (this.suspended !== undefined && free >= reserve * ENOUGH) {
      this.suspended = undefined;
      log.info({ folder, freeMb: megabytes(free) }, 'the disk has free space again: ingest goes on');
      onSuspend(undefined);
    }
  }
}

/** True if a warning is due. */
export const isLow = (free: number, size: number) => free < lowBytes || free < size * lowShare;

const reasonOf = (free: number, reserve: number) =>
  `ingest is suspended: the disk of the database has ${megabytes(free)} MB free, less than the ${megabytes(reserve)} MB ` +
  'of CAIRN_DISK_RESERVE; reads go on';

const megabytes = (bytes: number) => Math.round(bytes / 1e6);

async function spaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}
