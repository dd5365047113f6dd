import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { burnMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { ChainBuilder } from '@cairn-stacks/devnet/chain/chain-builder';
import { type Message, messageText } from '@cairn-stacks/devnet/chain/message-text';
import { ask } from './timed-request.ts';

/** A block that was acknowledged. */
export type KnownBlock = { height: number; hash: string; transactions: readonly string[] };

/** The observer waits 15 s for a commit and then returns 503. */
const deadlineMs = 18_000;
const repeatMs = 100;

/** Posts blocks as a node does: in order, each repeated until it is acknowledged, to the first observer that takes it. */
export class SteadyWrites {
  readonly #chain: ChainBuilder;
  readonly #ports: () => number[];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #everyMs: number;
  #tip: BuiltBlock;
  #running: Promise<void> | undefined;
  #stopped = false;
  /** Acknowledged blocks; the index is the height. */
  readonly blocks: (KnownBlock | undefined)[] = [];
  /** Acknowledged events. */
  events = 0;
  /** Posts without a response in time. */
  hung = 0;
  /** Posts that were rejected or broken. */
  refused = 0;

  constructor(options: { seed: number; ports: () => number[]; everyMs?: number }) {
    this.#chain = new ChainBuilder({ seed: options.seed, sign: false, accounts: 20, maturity: 3 });
    this.#ports = options.ports;
    this.#everyMs = options.everyMs ?? 250;
    this.#tip = this.#chain.genesis;
  }

  get height(): number {
    return this.blocks.length - 1;
  }

  /** Posts the genesis block and some more, then continues in the background. */
  async start(blocks: number): Promise<void> {
    await this.#post(this.#chain.genesis);
    for (let i = 0; i < blocks; i++) await this.#extend();
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    this.#agent.destroy();
  }

  /** Posts an event that the fold has no use for and that cannot be compressed, once; whether it was acknowledged. */
  async storeFiller(bytes: number): Promise<boolean> {
    const text = JSON.stringify(randomBytes(bytes).toString('base64'));
    const agent = new Agent();
    const [port = 0] = this.#ports();
    const outcome = await ask({ port, path: '/filler', agent, deadlineMs, body: Buffer.from(text) });
    agent.destroy();
    if (outcome.kind === 'hung') this.hung++;
    const stored = outcome.kind === 'answer' && outcome.status === 200;
    if (stored) this.events++;
    return stored;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const next = Date.now() + this.#everyMs;
      await this.#extend();
      await sleep(Math.max(0, next - Date.now()));
    }
  }

  async #extend(): Promise<void> {
    const block = this.#chain.mine(this.#tip, { transactions: 1 + this.#chain.random.below(5) });
    for (const burn of block.burnBlocks) await this.#post(burnMessage(burn));
    if (!(await this.#post(block))) return;
    this.#tip = block;
    // Block 1 shows the data of the genesis block, too.
    if (block.height === 1) return;
    this.blocks[block.height] = {
      height: block.height,
      hash: block.hash,
      transactions: block.transactions.map(({ txId }) => txId),
    };
    // Older blocks are not needed.
    let old: BuiltBlock | undefined = block;
    for (let i = 0; i < 20 && old; i++) old = old.parent;
    if (old) old.parent = undefined;
  }

  /** Repeats until it is acknowledged; false if it was stopped meanwhile. */
  async #post({ path, body }: Message): Promise<boolean> {
    const bytes = Buffer.from(messageText(body));
    for (let round = 0; !this.#stopped; round++) {
      const ports = this.#ports();
      const port = ports[round % ports.length];
      if (port !== undefined) {
        const outcome = await ask({ port, path, agent: this.#agent, deadlineMs, body: bytes });
        if (outcome.kind === 'answer' && outcome.status === 200) {
          this.events++;
          return true;
        }
        if (outcome.kind === 'hung') this.hung++;
        else this.refused++;
      }
      await sleep(repeatMs);
    }
    return false;
  }
}
