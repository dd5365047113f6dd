import { type ConnectOptions, connect, type Pool } from '../db/client.ts';
import type { Log } from '../log.ts';

type Part = { name: string; stop(): Promise<void> };

/** The started parts of an app, which are stopped in reverse order. */
export class Lifecycle {
  readonly #parts: Part[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  add<T>(name: string, part: T, stop: () => Promise<unknown>): T {
    this.#parts.push({ name, stop: async () => void (await stop()) });
    return part;
  }

  /** Opens a pool that is closed with the app. */
  addPool(name: string, url: string, options: Omit<ConnectOptions, 'name'>): Pool {
    const sql = connect(url, { name: `cairn ${name}`, ...options });
    return this.add(`pool ${name}`, sql, () => sql.end({ timeout: 5 }));
  }

  /** Makes a part the first to be stopped: it was started early, but its work needs the parts that were started later. */
  stopFirst(name: string): void {
    const index = this.#parts.findIndex(part => part.name === name);
    if (index >= 0) this.#parts.push(...this.#parts.splice(index, 1));
  }

  /** Stops the parts, the last one first; a part that fails to stop is logged. */
  async stopAll(): Promise<void> {
    for (const part of this.#parts.reverse()) {
      await part.stop().catch((error: unknown) => this.#log.error({ err: error }, `stopping ${part.name}`));
    }
  }
}
