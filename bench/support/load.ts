import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import { formatRecordedEvent, readRecordedEvents } from '../../src/ingest/replay/recorded-events.ts';
import { sampleChain } from './sample-chain.ts';

/** A recorded chain on mainnet to be posted or replayed. */
export type Load = {
  file: string;
  blocks: number;
  events: number;
  /** Bytes of all bodies, the reference of sizes. */
  eventBytes: number;
};

export type LoadOptions = {
  blocks: number;
  whale?: number;
  /** User transactions in each block. Default: 40. */
  transactions?: number;
  /** Accounts. Default: 20,000. */
  principals?: number;
  /** Signers whose messages come with each block; 0 for none. Both kinds are made by this project's own generator. */
  signers?: number;
  /** Messages of signers in one post. Default: 1, as most posts of a node. */
  perPost?: number;
};

/** An external generator of the same kind of chain: the one named by the environment, else one next to the project. */
const named = process.env.CAIRN_BENCH_GENERATOR;
const outside = named ?? join('..', 'shared', 'bench', 'chaingen.mjs');

/** Makes a chain, or takes the one an earlier run has left. */
export async function ensureLoad(options: LoadOptions): Promise<Load> {
  const { blocks, whale = 0, transactions = 40, principals = 20_000, signers, perPost = 1 } = options;
  const shape = { blocks, whale, transactions, principals };
  const folder = join(tmpdir(), `cairn-bench-loads-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true });
  const generator =
    signers === undefined && (named !== undefined || existsSync(outside))
      ? outside
      : new URL('./sample-chain.js', import.meta.url);
  const hash = createHash('sha256').update(readFileSync(generator)).digest('hex').slice(0, 8);
  const name = join(
    folder,
    `${hash}-${blocks}x${transactions}-${principals}-${whale}${signers ? `-${signers}by${perPost}` : ''}`,
  );
  const facts = `${name}.json`;
  if (!existsSync(facts)) {
    process.stderr.write(`making a chain of ${blocks} blocks\n`);
    const draft = `${name}.${process.pid}`;
    try {
      await (generator === outside
        ? generateOutside(draft, shape)
        : generateOwn(draft, { ...shape, signers: signers ?? 0, perPost }));
      renameSync(draft, `${name}.tsv`);
    } finally {
      rmSync(draft, { force: true });
    }
    writeFileSync(facts, JSON.stringify({ file: `${name}.tsv`, blocks, ...(await countEvents(`${name}.tsv`)) }));
  }
  return JSON.parse(readFileSync(facts, 'utf8')) as Load;
}

type Shape = Required<Omit<LoadOptions, 'signers' | 'perPost'>>;

async function generateOutside(file: string, { transactions, ...shape }: Shape): Promise<void> {
  const args = Object.entries({ ...shape, txs: transactions }).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [outside, ...args], { stdio: ['ignore', openSync(file, 'w'), 2] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the generator of the chain ended with code ${code}`);
}

async function generateOwn(file: string, shape: Required<LoadOptions>): Promise<void> {
  const output = createWriteStream(file);
  let id = 0n;
  for (const { path, body } of sampleChain(shape)) {
    id++;
    const at = new Date(1_750_000_000_000 + Number(id) * 1500).toISOString();
    const line = formatRecordedEvent({ id, at, path, body: Buffer.from(messageText(body)) });
    if (!output.write(line)) await once(output, 'drain');
  }
  output.end();
  await once(output, 'finish');
}

async function countEvents(file: string): Promise<{ events: number; eventBytes: number }> {
  const sums = { events: 0, eventBytes: 0 };
  for await (const { body } of readRecordedEvents(file)) {
    sums.events++;
    sums.eventBytes += body.length;
  }
  return sums;
}
