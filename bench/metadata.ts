import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { collectionModel } from '@cairn-stacks/devnet/contracts/collection-model';
import { interfaceOf } from '@cairn-stacks/devnet/contracts/contract-model';
import { readRecordedEvents } from '../src/ingest/replay/recorded-events.ts';
import { type BenchDatabase, openBenchDatabase } from './support/bench-database.ts';
import { endOnSignal } from './support/cleanup.ts';
import { median, round, say } from './support/figures.ts';
import { FoldWatch } from './support/fold-watch.ts';
import { ensureLoad, type Load } from './support/load.ts';
import { Poster } from './support/poster.ts';
import { startService } from './support/service.ts';

export const usage = {
  options: '[--blocks N] [--rounds N] [--tokens N]',
  about:
    'Tokens that are discovered and read from a local node, in all and in a second, and how much longer ingest takes meanwhile:\n' +
    'a chain is posted to the service with token metadata off and with the default settings, in turns.',
};

const collection = interfaceOf(collectionModel, true);
const node = fileURLToPath(new URL('./support/token-node.js', import.meta.url));

export async function run(args: string[]): Promise<Record<string, number>> {
  const { values } = parseArgs({
    args,
    options: {
      blocks: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '3' },
      tokens: { type: 'string', default: '10000' },
    },
  });
  const load = await ensureLoad({ blocks: Number(values.blocks) });
  const perContract = Math.ceil(Number(values.tokens) / (await countCollections(load)));
  const child = fork(node, [String(load.blocks), String(perContract)]);
  const forget = endOnSignal(async () => void child.kill());
  const [port] = (await once(child, 'message')) as [number];
  const nodes = `http://127.0.0.1:${port}`;
  try {
    const seconds: Record<'off' | 'chain', number[]> = { off: [], chain: [] };
    const meanwhile: number[] = [];
    let reading = { tokens: 0, seconds: 0 };
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const mode of ['off', 'chain'] as const) {
        const database = await openBenchDatabase();
        try {
          const posted = await postChain(database, load, { CAIRN_METADATA: mode, CAIRN_NODES: nodes });
          seconds[mode].push(posted);
          const read = await countRead(database);
          say(`${mode}: ${posted.toFixed(2)} s for ${load.blocks} blocks, ${read} tokens read meanwhile`);
          if (mode === 'chain') {
            meanwhile.push(read / posted);
            if (round === 0) reading = await readAgain(database, nodes);
          }
        } finally {
          await database.stop();
        }
      }
    }
    const [off, chain] = [median(seconds.off), median(seconds.chain)];
    const figures = {
      metadata_tokens: reading.tokens,
      metadata_tokens_per_s: round(reading.tokens / reading.seconds),
      metadata_tokens_per_s_during_ingest: round(median(meanwhile)),
      ingest_blocks_per_s_without: round(load.blocks / off),
      ingest_blocks_per_s_with: round(load.blocks / chain),
      ingest_cost_percent: round((chain / off - 1) * 100),
    };
    if (figures.metadata_tokens_per_s < 50) say('fewer than 50 tokens in a second were read');
    if (figures.ingest_cost_percent > 10) say('ingest takes more than 10% longer');
    return figures;
  } finally {
    forget();
    child.kill();
  }
}

/** Posts a chain to the service whose token contracts are collections, and returns the seconds until all is folded. */
async function postChain(database: BenchDatabase, load: Load, settings: Record<string, string>): Promise<number> {
  const service = await startService(database.dataDir, settings);
  try {
    const poster = new Poster(service.observerPort);
    const watch = new FoldWatch(database.sql);
    await watch.start();
    let events = 0n;
    const started = performance.now();
    for await (const { path, body } of readRecordedEvents(load.file)) {
      await poster.post(path, path === '/new_block' ? withCollections(body) : body);
      events++;
    }
    await watch.until(position => position.event_id >= events);
    const seconds = (performance.now() - started) / 1000;
    poster.close();
    return seconds;
  } finally {
    await service.stop();
  }
}

async function countCollections(load: Load): Promise<number> {
  let count = 0;
  for await (const { path, body } of readRecordedEvents(load.file)) {
    if (path === '/new_block' && body.includes(declaresItems))
      count += collectionsOf(JSON.parse(body.toString())).length;
  }
  return Math.max(1, count);
}

const declaresItems = '"non_fungible_tokens":[{';

type Interface = { functions: unknown; non_fungible_tokens: unknown[] };
type Block = { transactions: { contract_interface: Interface | null }[] };

/** The interfaces of deployed contracts that have items. */
const collectionsOf = ({ transactions }: Block): Interface[] =>
  transactions.flatMap(({ contract_interface: own }) => (own && own.non_fungible_tokens.length > 0 ? [own] : []));

/** The tokens of the sample chain follow no standard: those that have items get the interface of a collection. */
function withCollections(body: Buffer): Buffer {
  if (!body.includes(declaresItems)) return body;
  const block = JSON.parse(body.toString()) as Block;
  for (const own of collectionsOf(block)) own.functions = collection.functions;
  return Buffer.from(JSON.stringify(block));
}

async function countRead({ sql }: BenchDatabase): Promise<number> {
  const [row] = await sql<{ read: number }[]>`select count(*)::int as read from tokens where read_at is not null`;
  return row!.read;
}

/** Has all blocks searched and all tokens read from the beginning, without a limit of the rate. */
async function readAgain(database: BenchDatabase, nodes: string): Promise<{ tokens: number; seconds: number }> {
  const { sql } = database;
  await sql`truncate token_contracts cascade`;
  await sql`update token_discovery set height = 0, index_hash = ''`;
  const settings = { CAIRN_METADATA: 'chain', CAIRN_NODES: nodes, CAIRN_METADATA_RATE: '10000' };
  const service = await startService(database.dataDir, settings);
  try {
    const started = performance.now();
    for (;;) {
      const [row] = await sql<{ done: boolean }[]>`
        select d.height = p.height and not exists (select 1 from token_jobs) as done from token_discovery d, fold_position p
      `;
      if (row!.done) break;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    return { tokens: await countRead(database), seconds: (performance.now() - started) / 1000 };
  } finally {
    await service.stop();
  }
}
