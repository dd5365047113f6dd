/** Hosts remembered as set aside; the oldest are forgotten first. */
const MAX_HOSTS = 10_000;

type Waiting = { start: () => void; timer: NodeJS.Timeout };
type Host = { open: number; queue: Waiting[] };

/** Bounds the requests to one host, and leaves hosts alone that asked for it. */
export class HostLimits {
  readonly #atOnce: number;
  readonly #hosts = new Map<string, Host>();
  readonly #aside = new Map<string, number>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Milliseconds for which a host is set aside; 0 if it is not. */
  asideMs(host: string, now = Date.now()): number {
    const left = (this.#aside.get(host) ?? 0) - now;
    if (left <= 0) this.#aside.delete(host);
    return Math.max(0, left);
  }

  setAside(host: string, ms: number, now = Date.now()): void {
    this.#aside.delete(host);
    this.#aside.set(host, now + ms);
    for (const oldest of this.#aside.keys()) {
      if (this.#aside.size <= MAX_HOSTS) break;
      this.#aside.delete(oldest);
    }
  }

  /** Waits for a place; resolves with the function that releases it, or undefined if none became free in `waitMs`. */
  enter(name: string, waitMs: number): Promise<(() => void) | undefined> {
    const host = this.#hosts.get(name) ?? { open: 0, queue: [] };
    this.#hosts.set(name, host);
    return new Promise(resolve => {
      const start = () => resolve(() => this.#leave(name, host));
      if (host.open < this.#atOnce) {
        host.open++;
        return start();
      }
      const giveUp = () => {
        host.queue.splice(host.queue.indexOf(waiting), 1);
        resolve(undefined);
      };
      const waiting: Waiting = { start, timer: setTimeout(giveUp, waitMs) };
      host.queue.push(waiting);
    });
  }

  #leave(name: string, host: Host): void {
    const next = host.queue.shift();
    if (next) {
      clearTimeout(next.timer);
      return void next.start();
    }
    host.open--;
    if (host.open === 0) this.#hosts.delete(name);
  }
}
