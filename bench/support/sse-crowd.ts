import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { now } from './ws-crowd.ts';

/** Commands to the process with the clients, and its responses. */
type Order = { open: number; port: number; query: string } | { messages: number };
type Report = { opened: number } | { arrivedMs: number[] };

/** Clients of streams in a process of their own. */
export class SseCrowd {
  readonly #child: ChildProcess;
  #opened = 0;

  constructor() {
    this.#child = fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    process.once('exit', () => this.#child.kill('SIGKILL'));
  }

  async open(port: number, count: number, query = ''): Promise<void> {
    const before = this.#opened;
    const report = await this.#order({ open: count, port, query });
    this.#opened = 'opened' in report ? report.opened : 0;
    if (this.#opened - before < count) throw new Error(`${this.#opened - before} of ${count} clients could connect`);
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
    if (missing > 0 || wanted === Number.POSITIVE_INFINITY) return;
    wanted = Number.POSITIVE_INFINITY;
    process.send?.({ arrivedMs: times });
  };
  const openOne = (port: number, query: string, index: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', reject);
      socket.setEncoding('latin1');
      socket.write(`GET /extended/v1/stream${query} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`);
      // A message begins with this line; it may arrive in pieces.
      let rest = '';
      socket.on('data', text => {
        if (counts[index] === undefined && text.includes('retry:')) {
          counts[index] = 0;
          resolve();
        }
        const all = rest + text;
        const found = all.split('event: apply\n').length - 1;
        rest = all.slice(all.lastIndexOf('\n') + 1).slice(-16);
        if (found === 0) return;
        const before = counts[index]!;
        counts[index] = before + found;
        times[index] = now();
        if (before < wanted && counts[index]! >= wanted) missing--;
        check();
      });
    });
  process.on('message', async (order: Order) => {
    if ('open' in order) {
      const first = counts.length;
      for (let i = 0; i < order.open; i += 50) {
        const part = Array.from({ length: Math.min(50, order.open - i) }, (_, k) =>
          openOne(order.port, order.query, first + i + k),
        );
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
