import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KnownBlock, SteadyWrites } from '../faults/steady-writes.ts';

/** Readers, each with its own memory of the height that it has seen. */
const READERS = 20;
const DEADLINE_MS = 10_000;
/** Failed requests are counted by slots of this length. */
const SLOT_MS = 100;

type Response = { status: number; height: number; body: Buffer };

/**
 * Clients behind a load balancer that knows no health checks: each request goes to one API process at random, and to the next
 * one if the connection is refused. Clients send back the height that they have seen.
 */
export class ClusterReads {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #writes: SteadyWrites;
  readonly #ports: () => number[];
  readonly #failedSlots = new Set<number>();
  readonly #pauseMs: number;
  #loops: Promise<unknown> | undefined;
  #stopped = false;
  right = 0;
  failed = 0;
  /** Responses that do not match the request. */
  wrong = 0;
  /** Responses that show less than the client has seen. */
  olderThanSeen = 0;
  /** The newest block that a response has shown. */
  tip = 0;
  readonly problems: string[] = [];

  constructor(options: { writes: SteadyWrites; ports: () => number[]; perSecond: number }) {
    this.#writes = options.writes;
    this.#ports = options.ports;
    this.#pauseMs = (1000 * READERS) / options.perSecond;
  }

  start(): void {
    this.#loops = Promise.all(Array.from({ length: READERS }, (_, i) => this.#read(i)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loops;
    this.#agent.destroy();
  }

  /** Seconds in which requests failed since a moment. */
  errorSeconds(since: number): number {
    const first = Math.floor(since / SLOT_MS);
    return ([...this.#failedSlots].filter(slot => slot >= first).length * SLOT_MS) / 1000;
  }

  /** Waits until no request has failed for a second; false if that takes too long. */
  async calm(patienceMs: number): Promise<boolean> {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(50)) {
      const right = this.right;
      await sleep(1000);
      if (this.errorSeconds(Date.now() - 1000) === 0 && this.right > right) return true;
    }
    return false;
  }

  async #read(reader: number): Promise<void> {
    let seen = 0;
    let due = performance.now() + (reader * this.#pauseMs) / READERS;
    for (let round = reader; !this.#stopped; round++) {
      await sleep(Math.max(0, due - performance.now()));
      due = Math.max(due + this.#pauseMs, performance.now() - this.#pauseMs);
      const { blocks } = this.#writes;
      const known = blocks[2 + Math.floor(Math.random() * Math.max(1, Math.min(seen, blocks.length) - 2))];
      const tip = round % 2 === 0 || !known || known.height > seen;
      const path = tip
        ? '/extended/v2/blocks?limit=2'
        : `/extended/v2/blocks/${round % 4 === 1 ? known.height : known.hash}`;
      const response = await this.#ask(path, seen);
      if (response?.status !== 200) {
        this.failed++;
        this.#failedSlots.add(Math.floor(Date.now() / SLOT_MS));
        if (response && response.status !== 503) this.#report(`${path}: ${response.status} ${response.body}`, 'wrong');
        continue;
      }
      this.right++;
      const shown = tip ? this.#judgeTip(response, path) : this.#judgeBlock(response, known, path);
      if (shown === undefined) continue;
      // A program of an earlier release does not send the header.
      const height = response.height < 0 ? Math.max(seen, shown) : response.height;
      const newest = tip ? shown : height;
      if (newest < seen || height < shown) {
        this.#report(`${path}: ${shown} with header ${response.height} after ${seen}`, 'older');
      }
      seen = Math.max(seen, height);
      this.tip = Math.max(this.tip, shown);
    }
  }

  #judgeTip({ body }: Response, path: string): number | undefined {
    const { results } = JSON.parse(body.toString()) as { results: { height: number; hash: string }[] };
    const [tip, next] = results;
    const known = tip && this.#writes.blocks[tip.height];
    const right = tip && next && next.height === tip.height - 1 && (!known || known.hash === tip.hash);
    if (right) return tip.height;
    this.#report(`${path}: ${body.subarray(0, 200)}`, 'wrong');
    return undefined;
  }

  #judgeBlock({ body }: Response, known: KnownBlock, path: string): number | undefined {
    const { height, hash } = JSON.parse(body.toString()) as { height: number; hash: string };
    if (height === known.height && hash === known.hash) return height;
    this.#report(`${path}: got ${height} ${hash}`, 'wrong');
    return undefined;
  }

  #report(problem: string, kind: 'wrong' | 'older'): void {
    if (kind === 'wrong') this.wrong++;
    else this.olderThanSeen++;
    if (this.problems.length < 20) this.problems.push(`${kind} ${problem}`);
  }

  async #ask(path: string, seen: number): Promise<Response | undefined> {
    const ports = this.#ports();
    const first = Math.floor(Math.random() * ports.length);
    for (let i = 0; i < ports.length; i++) {
      const response = await this.#send(ports[(first + i) % ports.length]!, path, seen);
      if (response) return response;
    }
    return undefined;
  }

  /** Undefined if the connection is refused or broken, or the deadline is over. */
  #send(port: number, path: string, seen: number): Promise<Response | undefined> {
    return new Promise(resolve => {
      const options = {
        host: '127.0.0.1',
        port,
        path,
        agent: this.#agent,
        headers: { 'x-cairn-height': String(seen) },
      };
      const message = request(options, response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('error', () => resolve(undefined));
        response.on('end', () => {
          const height = Number(response.headers['x-cairn-height'] ?? -1);
          resolve({ status: response.statusCode!, height, body: Buffer.concat(chunks) });
        });
      });
      message.setTimeout(DEADLINE_MS, () => message.destroy());
      message.on('error', () => resolve(undefined));
      message.on('close', () => resolve(undefined));
      message.end();
    });
  }
}
