import { type ConnectOptions, connect, type Pool } from '../db/client.ts';
import type { Log } from '../log.ts';

export type Stoppable = { stop(): unknown };

/** Started parts, which are stopped in reverse order. */
export class Lifecycle {
  readonly #parts: { name: string; stop: () => unknown }[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  add<T extends Stoppable>(name: string, part: T): T {
    this.onStop(name, () => part.stop());
    return part;
  }

  onStop(name: string, stop: () => unknown): void {
    this.#parts.push({ name, stop });
  }

  /** Opens a pool that is closed with the other parts. */
  addPool(name: string, url: string, options: Omit<ConnectOptions, 'name'>): Pool {
    const sql = connect(url, { name: `cairn ${name}`, ...options });
    this.onStop(`pool ${name}`, () => sql.end({ timeout: 5 }));
    return sql;
  }

  /** Makes a part the first to be stopped: it was started early, but its work needs the parts that were started later. */
  stopFirst(name: string): void {
    const index = this.#parts.findIndex(part => part.name === name);
    if (index >= 0) this.#parts.push(...this.#parts.splice(index, 1));
  }

  /** Stops the parts, the last one first; a part that fails to stop is logged. */
  async stop(): Promise<void> {
    for (const { name, stop } of this.#parts.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        this.#log.error({ err: error }, `stopping ${name}`);
      }
    }
  }
}

/** Starts parts that belong together, and returns what `start` does with a `stop` of all; a failed start stops them. */
export async function startTogether<T extends object>(
  log: Log,
  start: (parts: Lifecycle) => T | Promise<T>,
): Promise<T & { stop(): Promise<void> }> {
  const parts = new Lifecycle(log);
  try {
    return { ...(await start(parts)), stop: () => parts.stop() };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}
