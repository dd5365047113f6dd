import type { MessagePort } from 'node:worker_threads';
import { Pause } from '../../../pause.ts';
import { LeaseConnection } from './lease-connection.ts';
import type { LeaseLoss } from './lease-loss.ts';

/** What is to be locked, and the port by which its holder is told. */
export type LeaseOrder = { port: MessagePort; url: string; schema: string | undefined; retryMs: number };

/** Messages to the holder: it has the lock, it has lost it, it has it again, or it will not get it. */
export type LeaseReport =
  | { kind: 'held' | 'regained' }
  | { kind: 'lost'; loss: LeaseLoss }
  | { kind: 'failed'; message: string; code: unknown };

/** A holder that has not got its lock back after this time has another writer before it, or no server. */
const regainMs = 10_000;
const regainRetryMs = 200;

/** Gets and keeps the lock of one fold, whatever its thread does meanwhile. */
export class LeaseKeeper {
  readonly #order: LeaseOrder;
  readonly #pause = new Pause();
  #connection: LeaseConnection | undefined;

  constructor(order: LeaseOrder) {
    this.#order = order;
    // The only message is that the lock is to be given free.
    order.port.on('message', () => void this.#end());
  }

  async run(): Promise<void> {
    try {
      if (!(await this.#acquire(this.#order.retryMs))) return;
      await this.#connection!.evict();
      this.#report({ kind: 'held' });
      for (;;) {
        const loss = await this.#connection!.keep();
        if (!loss) return;
        this.#report({ kind: 'lost', loss });
        if (!(await this.#regain())) return;
        this.#report({ kind: 'regained' });
      }
    } catch (error) {
      const { message, code } = error as Error & { code?: unknown };
      this.#report({ kind: 'failed', message, code });
    } finally {
      await this.#end();
    }
  }

  /** Connects and waits for the lock; false when it is not wanted any more. */
  async #acquire(retryMs: number, until = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { url, schema } = this.#order;
    const connection = await LeaseConnection.open(url, schema);
    this.#connection = connection;
    while (!this.#pause.over && performance.now() < until) {
      if (await connection.tryLock()) return true;
      await this.#pause.for(retryMs);
    }
    return false;
  }

  /** Takes the lock again after a loss. Whether another writer had it meanwhile is for the fence to say. */
  async #regain(): Promise<boolean> {
    const until = performance.now() + regainMs;
    while (!this.#pause.over) {
      try {
        if (await this.#acquire(regainRetryMs, until)) return true;
        if (!this.#pause.over) throw takenOver();
      } catch (error) {
        if (performance.now() >= until) throw error;
        await this.#pause.for(regainRetryMs);
      }
    }
    return false;
  }

  #report(report: LeaseReport): void {
    if (!this.#pause.over) this.#order.port.postMessage(report);
  }

  /** Gives the lock free; the closed port tells the holder that it is. */
  async #end(): Promise<void> {
    this.#pause.end();
    await this.#connection?.end();
    this.#order.port.close();
  }
}

const takenOver = () => Object.assign(new Error("another process holds the fold's lock"), { code: 'CAIRN' });
