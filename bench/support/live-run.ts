import { readRecordedEvents } from '../../src/ingest/replay/recorded-events.ts';
import {
  type BenchDatabase,
  listSizes,
  listStatements,
  measureSizes,
  openBenchDatabase,
  type Sizes,
} from './bench-database.ts';
import { quantile } from './figures.ts';
import { FoldWatch } from './fold-watch.ts';
import type { Load } from './load.ts';
import { Poster } from './poster.ts';
import { heightOf, reorganize } from './reorganization.ts';
import { type Service, startService } from './service.ts';
import { SignerChatter } from './signer-chatter.ts';
import { databaseCpuSeconds } from './usage.ts';

/** The measurements while a chain was posted event by event. */
export type LiveFigures = Sizes & {
  seconds: number;
  ackP99Ms: number;
  /** From the post of a block until readers see it; only where each block was waited for. */
  visibleMs: number[];
  rollbackMs: number;
  peakMb: number;
  serviceCpuSeconds: number;
  databaseCpuSeconds: number;
  tables: { name: string; bytes: number }[];
  statements: { totalMs: number; calls: number; text: string }[];
};

export type LiveOptions = {
  /** A block is posted only when readers see the one before. */
  lockstep?: boolean;
  /** Statements are counted and timed. */
  statements?: boolean;
  /** Messages of the signers of this load arrive meanwhile, for so many blocks a second. */
  signers?: { load: Load; blocksPerSecond: number };
};

const orphaned = 10;

/** Posts a chain to the service. */
export async function runLive(load: Load, options: LiveOptions = {}): Promise<LiveFigures> {
  const { lockstep = false, statements = false, signers } = options;
  const database = await openBenchDatabase({ statements });
  try {
    const service = await startService(database.dataDir);
    try {
      const chatter =
        signers && (await SignerChatter.start(signers.load, service.observerPort, signers.blocksPerSecond));
      const figures = await measure(load, lockstep, database, service).finally(() => chatter?.stop());
      return { ...figures, statements: statements ? await listStatements(database.sql) : [] };
    } finally {
      await service.stop();
    }
  } finally {
    await database.stop();
  }
}

async function measure(load: Load, lockstep: boolean, database: BenchDatabase, service: Service) {
  const { sql } = database;
  const poster = new Poster(service.observerPort);
  const watch = new FoldWatch(sql);
  await watch.start();
  const before = { service: service.usage()?.cpuSeconds, database: await databaseCpuSeconds(sql) };
  const last: Buffer[] = [];
  const visibleMs: number[] = [];
  let height = 0;
  const started = performance.now();
  for await (const { path, body } of readRecordedEvents(load.file)) {
    const posted = performance.now();
    await poster.post(path, body);
    if (path !== '/new_block') continue;
    height = heightOf(body);
    last.push(body);
    if (last.length > orphaned) last.shift();
    // Block 0 is shown with block 1: it is never visible by itself.
    if (!lockstep || height === 0) continue;
    await watch.until(position => position.height >= height);
    visibleMs.push(performance.now() - posted);
  }
  await watch.until(position => position.height >= height);
  const seconds = (performance.now() - started) / 1000;
  const after = { service: service.usage()?.cpuSeconds, database: await databaseCpuSeconds(sql) };
  const ackP99Ms = quantile(poster.acks, 0.99);
  const sizes = await measureSizes(database);
  const tables = await listSizes(sql);
  const { ms: rollbackMs } = await reorganize(sql, last, poster, watch);
  poster.close();
  const spent = (a: number | undefined, b: number | undefined) => (a ?? Number.NaN) - (b ?? Number.NaN);
  return {
    ...sizes,
    tables,
    seconds,
    ackP99Ms,
    visibleMs,
    rollbackMs,
    peakMb: service.usage()?.peakMb ?? Number.NaN,
    serviceCpuSeconds: spent(after.service, before.service),
    databaseCpuSeconds: spent(after.database, before.database),
  };
}
