import { ResponseCache } from '../cache/response-cache.ts';
import { TipCache } from '../cache/tip-cache.ts';
import { apiReads, type Pool } from '../db/client.ts';
import { poolSize, type RunningDatabase } from './database.ts';
import { startTogether } from './lifecycle.ts';
import type { Observability } from './observability/observability.ts';
import { ReadServers, ServersBehind } from './reading/read-servers.ts';
import type { Start } from './start.ts';

/** Time limit of reads of the tip and of metrics; the cache is not used when the tip could not be read for so long. */
const PROBE_MS = 3000;

/** What the index is read with. */
export type RunningReads = {
  servers: ReadServers;
  /** For requests. */
  sql: Pool;
  /** For measurements, which must not wait behind slow statements of requests. */
  probes: Pool;
  responses: ResponseCache;
  /** Followed where this process serves the API. */
  tip: TipCache | undefined;
  stop(): Promise<void>;
};

/** Opens the database servers for reads, and follows the tip of the chain. */
export async function startReads(
  { config, log }: Start,
  database: RunningDatabase,
  { onStatement }: Observability,
): Promise<RunningReads> {
  return await startTogether(log, async parts => {
    const responses = new ResponseCache(config.responseCacheBytes);
    let tip: TipCache | undefined;
    const servers = await ReadServers.open({
      replicas: config.readUrls,
      primary: database.url,
      maxLagSeconds: config.readMaxLag,
      log: log.child({ part: 'database' }),
      follow: async seq => {
        if (tip && !(await tip.reach(seq))) throw new ServersBehind('the tip of the chain cannot be read');
      },
      onRegression: () => {
        tip?.forget();
        responses.clear();
      },
    });
    parts.add('read servers', servers);
    const options = { ...apiReads, statementTimeoutMs: config.queryTimeout * 1000 };
    const sql = servers.pool({ name: 'cairn api', max: poolSize(config), ...options, onStatement });
    const probing = { name: 'cairn probes', max: 2, ...options, statementTimeoutMs: PROBE_MS };
    const probes = servers.pool(probing);
    if (config.role !== 'ingest') {
      const { url, directUrl, primary } = database;
      const announcing =
        directUrl === url ? primary : parts.addPool('announcements', directUrl, { max: 1, readOnly: true });
      tip = new TipCache({
        sql: probes,
        primary: announcing,
        read: work => servers.runOnNewest(work, probing),
        onAnnounce: seq => servers.announce(seq),
        log: log.child({ part: 'tip' }),
      });
      parts.add('tip', tip);
      await tip.start();
    }
    return { servers, sql, probes, responses, tip };
  });
}
