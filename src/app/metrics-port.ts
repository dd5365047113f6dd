import { serveMetrics } from '../api/metrics-server.ts';
import type { Handler } from '../http/pipelines.ts';
import type { RunningApi } from './api.ts';
import type { Following } from './following/following.ts';
import type { RunningReads } from './reads.ts';
import type { Start } from './start.ts';
import type { RunningWebhooks } from './webhooks.ts';

export type MetricsParts = {
  reads: RunningReads;
  following: Following;
  api: RunningApi | undefined;
  /** Where this process may write. */
  webhooks: RunningWebhooks | undefined;
};

/** Responds on the metrics port from the running parts. */
export function metricsHandler({ config, log, metrics }: Start, parts: MetricsParts): Handler {
  const { following, api, webhooks } = parts;
  const { servers, sql, probes, tip } = parts.reads;
  return serveMetrics({
    metrics,
    sql: probes,
    log: log.child({ part: 'metrics' }),
    readiness: {
      sql,
      readyMaxLag: config.readyMaxLag,
      servers: () => servers.reports(),
      checks: following.checks,
      conditions: () => following.conditions(),
      ...(tip && { tip }),
    },
    measureFollowing: measured => following.measure(measured),
    ...(webhooks && { admin: { sql: webhooks.sql, token: config.adminToken, webhooks } }),
    ...(api && { api }),
  });
}
