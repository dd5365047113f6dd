import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { TipCache } from '../../../src/cache/tip-cache.ts';
import { broker as brokerSetting } from '../../../src/config/setting.ts';
import { apiReads, connect } from '../../../src/db/client.ts';
import { createLog } from '../../../src/log.ts';
import type { BrokerOpener } from '../../../src/publish/broker.ts';
import { NatsBroker, type StreamSettings } from '../../../src/publish/nats-broker.ts';
import { loadNatsPackages } from '../../../src/publish/nats-packages.ts';
import { Publisher, type PublisherOptions } from '../../../src/publish/publisher.ts';
import { listPublisherStandings } from '../../../src/read/status/publishers-queries.ts';
import { streamTopics } from '../../../src/stream/topics.ts';
import { messagesOf } from '../../support/chain.ts';
import { testDatabase } from '../../support/database.ts';
import { foldAll, until } from '../../support/service.ts';
import type { StoredMessage } from './nats-server.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };
export type Line = { level: 'info' | 'warn'; details: object; message: string };

const silent = createLog({ level: 'silent', format: 'json' });
const stream: StreamSettings = {
  name: 'CAIRN',
  prefix: 'cairn',
  maxAgeSeconds: 3600,
  maxBytes: undefined,
  replicas: 1,
};

/** Opens connections to a server of NATS. */
export async function natsOpener(url: string, settings: Partial<StreamSettings> = {}): Promise<BrokerOpener> {
  const packages = await loadNatsPackages();
  const address = brokerSetting.parse(url);
  if (!address) throw new Error(`${url} is not an address`);
  return () => NatsBroker.open({ packages, address, stream: { ...stream, ...settings } });
}

/** A database with a chain, and processes that publish it. */
export async function startWorld(t: Ending, blocks: readonly BuiltBlock[]) {
  const database = await testDatabase(t);
  const fold = (more: readonly BuiltBlock[]) => foldAll(database, more.flatMap(messagesOf));
  await fold(blocks);

  /** A process that publishes, until it is stopped or the test ends. */
  const startPublisher = async (open: BrokerOpener, options: Partial<PublisherOptions> = {}) => {
    const sql = connect(database.url, { max: 1, name: 'cairn publisher' });
    const reads = connect(database.url, { ...apiReads, max: 2, name: 'cairn publisher reads' });
    const source = new TipCache({ sql: reads, primary: reads, log: silent, pollMs: 20 });
    await source.start();
    const lines: Line[] = [];
    const log = {
      info: (details: object, message: string) => void lines.push({ level: 'info', details, message }),
      warn: (details: object, message: string) => void lines.push({ level: 'warn', details, message }),
    };
    const publisher = new Publisher({
      ...{ sql, reads, source, open, stream: 'CAIRN', topics: streamTopics, fromHeight: 1, log },
      ...{ pollMs: 10, leaseMs: 800, retryMs: 5 },
      ...options,
    });
    publisher.start();
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= publisher.stop().then(async () => {
        await source.stop();
        await Promise.all([sql.end({ timeout: 1 }), reads.end({ timeout: 1 })]);
      });
      return stopped;
    };
    t.onTestFinished(stop);
    return { stop, lines, sql };
  };

  const standing = async () => (await listPublisherStandings(database.sql))[0];
  return {
    database,
    fold,
    startPublisher,
    standing,
    /** Waits until the database says that the publisher is so far. */
    reached: (height: number) => until(async () => (await standing())?.height === height),
    /** Height and id of each transaction, in the order of the chain. */
    transactions: async () => {
      const rows = await database.sql<{ item: string }[]>`
        select t.height || ' 0x' || encode(t.tx_id, 'hex') as item from transactions t where t.height > 0 order by t.height, t.place
      `;
      return rows.map(({ item }) => item);
    },
    canonical: async () => {
      const rows = await database.sql<{ height: number; hash: string }[]>`
        select b.height, '0x' || encode(b.index_hash, 'hex') as hash from blocks b where b.height > 0 order by b.height
      `;
      return rows.map(({ height, hash }): [number, string] => [height, hash]);
    },
  };
}

/** What a consumer of some topics has after these messages, and how often they did not fit. */
export function consume(messages: readonly StoredMessage[], topics: readonly string[]) {
  const blocks = new Map<number, string>();
  const items: string[] = [];
  let misfits = 0;
  for (const { subject, body } of messages) {
    const topic = subject.split('.').at(-1)!;
    if (topic === 'rollback') {
      for (const height of [...blocks.keys()]) if (height > body.to!.height) blocks.delete(height);
      for (let at = items.length - 1; at >= 0; at--)
        if (Number(items[at]!.split(' ')[0]) > body.to!.height) items.splice(at, 1);
    }
    if (!topics.includes(topic) || !body.block) continue;
    const { height, index_block_hash: hash } = body.block;
    if (topic === 'blocks') {
      const below = [...blocks.keys()].at(-1);
      if (below !== undefined && below !== height - 1) misfits++;
      blocks.set(height, hash);
    }
    if (topic === 'transactions') for (const { tx_id } of body.transactions ?? []) items.push(`${height} ${tx_id}`);
  }
  return { blocks: [...blocks], items, misfits };
}

/** A folder that is removed after the test. */
export function temporaryFolder(t: Ending): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-publish-'));
  t.onTestFinished(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
