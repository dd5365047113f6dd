import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';

/** Commands to the process with the clients, and its responses. */
type Order = { open: number; port: number } | { messages: number };
type Report = { opened: number } | { arrivedMs: number[] };

/** Milliseconds since 1970, finer than Date, the same in every process of a machine. */
export const now = () => performance.timeOrigin + performance.now();

/** WebSocket clients in a process of their own, all subscribed to blocks. */
export class WsCrowd {
  readonly #child: ChildProcess;
  #opened = 0;

  constructor() {
    this.#child = fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    process.once('exit', () => this.#child.kill('SIGKILL'));
  }

  async open(port: number, count: number): Promise<void> {
    const report = await this.#order({ open: count, port });
    this.#opened = 'opened' in report ? report.opened : 0;
    if (this.#opened < count) throw new Error(`${this.#opened} of ${count} clients could connect`);
  }

  /** Waits until every client has received this many messages; returns when each received the last of them. */
  async arrivals(messages: number): Promise<number[]> {
    const report = await this.#order({ messages });
    return 'arrivedMs' in report ? report.arrivedMs : [];
  }

  async close(): Promise<void> {
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
  }

  async #order(order: Order): Promise<Report> {
    const answered = once(this.#child, 'message');
    this.#child.send(order);
    const [report] = (await answered) as [Report];
    return report;
  }
}

/** The process with the clients, which counts their messages. */
function holdClients(): void {
  const counts: number[] = [];
  const times: number[] = [];
  let wanted = Number.POSITIVE_INFINITY;
  let missing = 0;
  const check = () => {
    if (missing === 0 && wanted !== Number.POSITIVE_INFINITY) {
      wanted = Number.POSITIVE_INFINITY;
      process.send?.({ arrivedMs: times });
    }
  };
  const openOne = (port: number, index: number) =>
    new Promise<void>((resolve, reject) => {
      const ws = new WebSocket(`ws://127.0.0.1:${port}/extended/v1/ws`, { perMessageDeflate: false });
      ws.on('error', reject);
      ws.on('open', () =>
        ws.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { event: 'block' } })),
      );
      ws.once('message', () => {
        counts[index] = 0;
        ws.on('message', () => {
          times[index] = now();
          counts[index]!++;
          if (counts[index] === wanted) missing--;
          check();
        });
        resolve();
      });
    });
  process.on('message', async (order: Order) => {
    if ('open' in order) {
      const first = counts.length;
      for (let i = 0; i < order.open; i += 50) {
        const part = Array.from({ length: Math.min(50, order.open - i) }, (_, k) => openOne(order.port, first + i + k));
        await Promise.all(part).catch(error => process.stderr.write(`${error}\n`));
      }
      process.send?.({ opened: counts.length });
    } else {
      wanted = order.messages;
      missing = counts.filter(count => count < wanted).length;
      check();
    }
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) holdClients();
