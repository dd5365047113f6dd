import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** One request: its start, its duration, and its status (0 without a response). */
export type Sample = { at: number; ms: number; status: number };

/** Requests a path at a constant rate until it is stopped; a late request does not delay the others. */
export class SteadyLoad {
  readonly samples: Sample[] = [];
  readonly #pool: Pool;
  readonly #path: string;
  readonly #pause: number;
  #running = true;
  #work: Promise<void>;
  readonly #open = new Set<Promise<void>>();

  constructor(port: number, path: string, perSecond: number) {
    this.#pool = new Pool(`http://127.0.0.1:${port}`, { connections: 256 });
    this.#path = path;
    this.#pause = 1000 / perSecond;
    this.#work = this.#run();
  }

  async stop(): Promise<void> {
    this.#running = false;
    await this.#work;
    await Promise.all(this.#open);
    await this.#pool.close();
  }

  async #run(): Promise<void> {
    let due = performance.now();
    while (this.#running) {
      due += this.#pause;
      const asking: Promise<void> = this.#ask().finally(() => this.#open.delete(asking));
      this.#open.add(asking);
      const wait = due - performance.now();
      if (wait > 0) await sleep(wait);
    }
  }

  async #ask(): Promise<void> {
    const at = performance.now();
    let status = 0;
    try {
      const { statusCode, body } = await this.#pool.request({ method: 'GET', path: this.#path });
      await body.dump();
      status = statusCode;
    } catch {
      // Counted as failed: no response.
    }
    this.samples.push({ at, ms: performance.now() - at, status });
  }
}
