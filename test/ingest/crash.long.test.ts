import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { chooseChain } from '@cairn-stacks/devnet/chain/fork-choice';
import { type Message, messageText } from '@cairn-stacks/devnet/chain/message-text';
import { Random } from '@cairn-stacks/devnet/random';
import { expect, test } from 'vitest';
import { freePort } from '../../bench/support/free-port.ts';
import { replayJournal } from '../model/journal.ts';
import { messagesOf, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import { propertySeed as seed } from '../support/seed.ts';
import { foldAll, headOf, positionOf, until } from '../support/service.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const kills = 12;

test(`killed ${kills} times at random times, it ends in the same state as an undisturbed run (seed ${seed})`, async t => {
  const random = new Random(seed);
  const { blocks, messages } = makeHistory(random);
  const [db, calm] = await Promise.all([testDatabase(t), testDatabase(t)]);
  const service = new Service(db.url, await freePort());
  t.onTestFinished(() => service.kill());

  let posted = 0;
  let killed = 0;
  while (posted < messages.length) {
    const { writer } = await positionOf(db.sql);
    service.start();
    const left = kills - killed;
    if (left === 0) {
      while (posted < messages.length) if (await service.post(messages[posted]!)) posted++;
      break;
    }
    const goal = Math.min(posted + Math.ceil((2 * (messages.length - posted)) / (left + 1)), messages.length - left);
    // Most die while events flow in and are folded; some before they have even started.
    const early = random.chance(6);
    if (!early) {
      if (posted < goal && (await service.post(messages[posted]!))) posted++;
      await until(async () => (await positionOf(db.sql)).writer > writer);
    }
    const killing = pause(random.below(early ? 400 : 200)).then(() => service.kill());
    while (posted < goal && service.runs) {
      if (await service.post(messages[posted]!)) posted++;
      await pause(random.below(12));
    }
    await killing;
    killed++;
  }
  expect(killed).toBe(kills);
  if (!service.runs) service.start();
  const head = await headOf(db.sql);
  expect(head).toBeGreaterThanOrEqual(BigInt(messages.length));
  await until(async () => {
    const position = await positionOf(db.sql);
    expect(position.halt_reason).toBeNull();
    return position.event_id >= head;
  });
  await service.stop();

  await foldAll(calm, messages);
  const chain = chooseChain(blocks.map(block => ({ block }))).filter(b => b.height > 0);
  expect(await positionOf(db.sql)).toMatchObject({ height: chain.at(-1)!.height, halted_at: null });
  expect(await replayJournal(db.sql)).toEqual(chain.map(b => b.indexHash));
  expect(differences(await dump(db.sql), await dump(calm.sql))).toEqual([]);
});

/** Blocks with forks, late parents, burn blocks and pending transactions, in the order they are posted. */
function makeHistory(random: Random): { blocks: BuiltBlock[]; messages: Message[] } {
  const chain = testChain({ seed });
  const built = [chain.genesis];
  const messages: Message[] = [chain.genesis];
  const blocks: BuiltBlock[] = [chain.genesis];
  const late: BuiltBlock[] = [];
  const arrive = (block: BuiltBlock) => {
    blocks.push(block);
    messages.push(block);
  };
  for (let i = 0; i < 160; i++) {
    const parent = random.chance(4) ? built.at(-1 - random.below(Math.min(4, built.length)))! : built.at(-1)!;
    const block = chain.mine(parent, { transactions: random.below(4), burnOperations: random.below(2) });
    built.push(block);
    messages.push(mempoolMessage(block.transactions.filter(tx => tx.raw !== '0x00')));
    messages.push(...messagesOf(block).slice(0, -1));
    if (random.chance(8)) late.push(block);
    else arrive(block);
    if (late.length > 0 && random.chance(3)) arrive(late.shift()!);
  }
  late.forEach(arrive);
  return { blocks, messages };
}

/** The whole service in a process of its own, on an external database, so that a kill takes the service alone. */
class Service {
  readonly #url: string;
  readonly #port: number;
  #child: ChildProcess | undefined;
  #output = '';

  constructor(url: string, port: number) {
    this.#url = url;
    this.#port = port;
  }

  get runs(): boolean {
    return this.#child !== undefined;
  }

  start(): void {
    const child = spawn(process.execPath, [program, 'start'], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: this.#url,
        CAIRN_ROLE: 'ingest',
        CAIRN_NETWORK: 'testnet',
        CAIRN_OBSERVER_PORT: String(this.#port),
        CAIRN_METRICS_PORT: '0',
        CAIRN_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        this.#output = (this.#output + text).slice(-4_000);
      });
    }
    this.#child = child;
    child.once('exit', code => {
      if (code === null || this.#child !== child) return;
      this.#child = undefined;
      throw new Error(`the service ended by itself with code ${code}: ${this.#output}`);
    });
  }

  /** Ends it in the middle of whatever it does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Posts as a node does, again and again until it is answered; false when the service went away meanwhile. */
  async post(message: Message): Promise<boolean> {
    const body = messageText(message.body);
    while (this.runs) {
      try {
        const response = await fetch(`http://127.0.0.1:${this.#port}${message.path}`, { method: 'POST', body });
        await response.text();
        if (response.status === 200) return true;
      } catch {
        // Not up yet, or just killed: the node repeats the event.
      }
      await pause(10); // a node pauses before it repeats
    }
    return false;
  }
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));
