import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KnownBlock, SteadyWrites } from './steady-writes.ts';
import { ask, type Outcome } from './timed-request.ts';

/** A read with a wrong result. */
export type BadRead = {
  kind: 'refused' | 'wrong' | 'hung' | 'broken';
  path: string;
  startedAt: number;
  endedAt: number;
  detail: string;
};

type Query = {
  path: string /** What is wrong with an answer, if anything. */;
  check(body: unknown): string | undefined;
};

/** A crash of the server may take back the last blocks from the tables for a moment: the fold commits without waiting. */
const margin = 20;
const pauseMs = 20;
const maxKept = 10_000;

/** Requests blocks and transactions continuously, and checks each response. */
export class SteadyReads {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #writes: SteadyWrites;
  readonly #port: () => number | undefined;
  readonly #deadlineMs: number;
  readonly #lastRight: number[];
  readonly bad: BadRead[] = [];
  right = 0;
  /** The newest block that a response showed. */
  tip = 0;
  #loops: Promise<unknown> | undefined;
  #stopped = false;

  constructor(options: {
    writes: SteadyWrites;
    port: () => number | undefined;
    deadlineMs: number;
    connections: number;
  }) {
    this.#writes = options.writes;
    this.#port = options.port;
    this.#deadlineMs = options.deadlineMs;
    this.#lastRight = Array.from({ length: options.connections }, () => 0);
  }

  start(): void {
    this.#loops = Promise.all([...this.#lastRight.keys()].map(loop => this.#run(loop)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loops;
    this.#agent.destroy();
  }

  /** Bad reads of a kind that began after a moment. */
  since(moment: number, ...kinds: BadRead['kind'][]): BadRead[] {
    return this.bad.filter(({ startedAt, kind }) => startedAt >= moment && kinds.includes(kind));
  }

  /**
   * Waits until every connection gets right answers again; resolves with how many seconds after `back` the last read began
   * that did not get one.
   */
  async recovered(back: number, patienceMs: number): Promise<number> {
    for (;;) {
      const last = this.bad.reduce((latest, { startedAt }) => Math.max(latest, startedAt), back);
      const calm = Math.max(last, back) + 700;
      if (Date.now() > calm && this.#lastRight.every(right => right > last)) return (last - back) / 1000;
      if (Date.now() > back + patienceMs) return patienceMs / 1000;
      await sleep(20);
    }
  }

  /** Requests a block by height until the deadline; returns what is wrong with the response, if anything. */
  async verify(known: KnownBlock): Promise<string | undefined> {
    for (const query of [blockByHeight(known), transactionsOf(known)]) {
      const problem = judge(await this.#ask(query), query);
      if (problem) return `${query.path}: ${problem.kind} ${problem.detail}`;
    }
    return undefined;
  }

  async #run(loop: number): Promise<void> {
    for (let round = loop; !this.#stopped; round++) {
      const known = this.#writes.blocks[2 + Math.floor(Math.random() * Math.max(1, this.tip - margin))];
      const query = round % 8 === 0 || !known ? tipQuery(height => this.#see(height)) : queryOf(known, round);
      const startedAt = Date.now();
      const problem = judge(await this.#ask(query), query);
      if (problem) this.#note({ ...problem, path: query.path, startedAt, endedAt: Date.now() });
      else {
        this.right++;
        this.#lastRight[loop] = startedAt;
      }
      await sleep(problem ? 50 : pauseMs);
    }
  }

  #see(height: number): void {
    this.tip = Math.max(this.tip, height);
  }

  #note(read: BadRead): void {
    if (this.bad.length < maxKept) this.bad.push(read);
    else if (read.kind !== 'refused') this.bad.splice(0, 1, read);
  }

  async #ask({ path }: Query): Promise<Outcome> {
    const port = this.#port();
    if (port === undefined) return { kind: 'broken', reason: 'no service runs' };
    return await ask({ port, path, agent: this.#agent, deadlineMs: this.#deadlineMs });
  }
}

function judge(outcome: Outcome, query: Query): Pick<BadRead, 'kind' | 'detail'> | undefined {
  if (outcome.kind === 'hung') return { kind: 'hung', detail: '' };
  if (outcome.kind === 'broken') return { kind: 'broken', detail: outcome.reason };
  const text = outcome.body.toString();
  if (outcome.status === 503) return { kind: 'refused', detail: text };
  if (outcome.status !== 200) return { kind: 'wrong', detail: `${outcome.status} ${text}` };
  const problem = query.check(JSON.parse(text));
  return problem === undefined ? undefined : { kind: 'wrong', detail: problem };
}

const queryOf = (known: KnownBlock, round: number): Query =>
  [blockByHeight, blockByHash, transactionsOf, transactionOf][round % 4]!(known);

type BlockResponse = { height: number; hash: string };

const blockByHeight = (known: KnownBlock): Query => ({
  path: `/extended/v2/blocks/${known.height}`,
  check: body => differenceOf(known, body as BlockResponse),
});

const blockByHash = (known: KnownBlock): Query => ({
  path: `/extended/v2/blocks/${known.hash}`,
  check: body => differenceOf(known, body as BlockResponse),
});

function differenceOf(known: KnownBlock, { height, hash }: BlockResponse): string | undefined {
  if (height === known.height && hash === known.hash) return undefined;
  return `asked for block ${known.height} (${known.hash}), got ${height} (${hash})`;
}

const transactionsOf = (known: KnownBlock): Query => ({
  path: `/extended/v2/blocks/${known.height}/transactions?limit=50`,
  check: body => {
    const { results } = body as { results: { tx_id: string; block_height: number }[] };
    const got = results.map(({ tx_id }) => tx_id).sort();
    const stray = results.find(({ block_height }) => block_height !== known.height);
    if (stray) return `asked for transactions of block ${known.height}, got one of ${stray.block_height}`;
    if (got.join() === [...known.transactions].sort().join()) return undefined;
    return `block ${known.height} has ${known.transactions.length} transactions, got ${got.length} or others`;
  },
});

const transactionOf = (known: KnownBlock): Query => {
  const id = known.transactions[Math.floor(Math.random() * known.transactions.length)];
  if (id === undefined) return blockByHeight(known);
  return {
    path: `/extended/v1/tx/${id}`,
    check: body => {
      const { tx_id, block_height } = body as { tx_id: string; block_height: number };
      if (tx_id === id && block_height === known.height) return undefined;
      return `asked for transaction ${id} of block ${known.height}, got ${tx_id} of ${block_height}`;
    },
  };
};

const tipQuery = (see: (height: number) => void): Query => ({
  path: '/extended/v2/blocks?limit=3',
  check: body => {
    const { results } = body as { results: BlockResponse[] };
    const [tip] = results;
    if (!tip) return 'the list of blocks is empty';
    if (results.some((block, i) => block.height !== tip.height - i)) return 'the list of blocks has a gap';
    see(tip.height);
    return undefined;
  },
});
