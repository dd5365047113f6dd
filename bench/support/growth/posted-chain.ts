import { readRecordedEvents } from '../../../src/ingest/replay/recorded-events.ts';
import { openBenchDatabase } from '../bench-database.ts';
import { FoldWatch } from '../fold-watch.ts';
import type { Load } from '../load.ts';
import { Poster } from '../poster.ts';
import { heightOf } from '../reorganization.ts';
import { startService } from '../service.ts';
import { databaseCpuSeconds } from '../usage.ts';

type Figures = Record<string, number>;

/** A service that has folded all blocks of a load, which were posted to it one by one. */
export type PostedChain = {
  sql: Awaited<ReturnType<typeof openBenchDatabase>>['sql'];
  dataDir: string;
  poster: Poster;
  watch: FoldWatch;
  /** The bodies of the last blocks, the tip last. */
  last: Buffer[];
  seconds: number;
};

/**
 * Posts a chain to a service of its own and does some work with it. The figures are of both: time until the chain was visible,
 * CPU and memory, and how often the fold lost its lock, which must not happen.
 */
export async function postChain(
  load: Load,
  kept: number,
  work: (chain: PostedChain) => Promise<Figures> = async () => ({}),
): Promise<Figures> {
  const database = await openBenchDatabase();
  try {
    const { dataDir, sql } = database;
    const service = await startService(dataDir);
    try {
      const poster = new Poster(service.observerPort);
      const watch = new FoldWatch(sql);
      await watch.start();
      const last: Buffer[] = [];
      const started = performance.now();
      for await (const { path, body } of readRecordedEvents(load.file)) {
        await poster.post(path, body);
        if (path !== '/new_block') continue;
        last.push(body);
        if (last.length > kept) last.shift();
      }
      const height = heightOf(last.at(-1)!);
      await watch.until(position => position.height >= height);
      const seconds = (performance.now() - started) / 1000;
      const figures = await work({ sql, dataDir, poster, watch, last, seconds });
      poster.close();
      const usage = service.usage();
      return {
        seconds,
        ...figures,
        cpu_s: usage?.cpuSeconds ?? Number.NaN,
        db_cpu_s: (await databaseCpuSeconds(sql)) ?? Number.NaN,
        rss_mb: usage?.peakMb ?? Number.NaN,
        lock_losses: await countLockLosses(service.metricsPort),
      };
    } finally {
      await service.stop();
    }
  } finally {
    await database.stop();
  }
}

async function countLockLosses(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const values = [...text.matchAll(/^cairn_fold_lock_losses_total(?:\{[^}]*\})? (\d+)/gm)];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
