import type { IncomingMessage } from 'node:http';
import type { ResponseCache } from '../cache/response-cache.ts';
import { findTip } from '../cache/tip-queries.ts';
import type { Pool } from '../db/client.ts';
import { databaseLost } from '../db/database-error.ts';
import type { ReadServerReport } from '../db/reads.ts';
import { notFound } from '../errors.ts';
import { describe } from '../http/errors.ts';
import { sendJson } from '../http/listener.ts';
import type { Handler } from '../http/pipelines.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { ReadCaches } from '../read/read-caches.ts';
import { measureSigners } from '../read/signers/signer-gauges.ts';
import { countConnections } from '../read/status/connections-queries.ts';
import { listPublisherStandings, type PublisherStanding } from '../read/status/publishers-queries.ts';
import { checkReadiness, type ReadinessContext } from '../read/status/readiness.ts';
import { findIngestStatus } from '../read/status/status-queries.ts';
import { listWebhookStandings, type WebhookStanding } from '../read/status/webhooks-queries.ts';
import type { WebhookAdmin } from '../webhooks/manage.ts';
import type { AdminOptions, AdminResponse } from './admin-request.ts';
import { respondToKeys } from './keys/admin-routes.ts';
import { respondToWebhooks } from './webhooks/admin-routes.ts';

export type MetricsContext = {
  metrics: Metrics;
  /** For measurements, which must not wait behind slow statements of the service. */
  sql: Pool;
  readiness: ReadinessContext;
  /** Sets the gauges of what this process follows. */
  measureFollowing?: (metrics: Metrics) => void;
  log: Log;
  /** The caches of the API, where this process serves it. */
  api?: { responses: ResponseCache; caches: ReadCaches };
  /** Serves the admin routes too, where this process may write. */
  admin?: (AdminOptions & { webhooks: WebhookAdmin }) | undefined;
};

type Response = { status: number; type: string; body: string };

/** Serves `/metrics`, `/healthz`, `/readyz` and the admin routes on the port that stays inside. */
export function serveMetrics(context: MetricsContext): Handler {
  const routes: Record<string, () => Promise<Response>> = {
    '/metrics': async () => {
      await measure(context);
      const { registry } = context.metrics;
      return { status: 200, type: registry.contentType, body: await registry.metrics() };
    },
    '/healthz': async () => ({ status: 200, type: 'application/json', body: '{"status":"alive"}' }),
    '/readyz': async () => {
      const { status, body } = await checkReadiness(context.readiness);
      return { status, type: 'application/json', body: JSON.stringify(body) };
    },
  };
  const respond = async (request: IncomingMessage, path: string): Promise<Response> => {
    if (Object.hasOwn(routes, path)) return await routes[path]!();
    const answer = context.admin && (await respondToAdmin(request, path, context.admin));
    if (!answer) throw notFound(`nothing at ${path}`);
    return { status: answer.status, type: 'application/json; charset=utf-8', body: JSON.stringify(answer.body) };
  };
  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (Object.hasOwn(routes, path)) request.resume();
    respond(request, path).then(
      ({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
        response.end(body);
      },
      error => {
        const { status, body } = describe(error);
        if (status >= 500 && !databaseLost(error))
          context.log.error({ err: error, url: path }, `responded with status ${status}`);
        request.resume();
        sendJson(response, status, body);
      },
    );
  };
}

async function respondToAdmin(
  request: IncomingMessage,
  path: string,
  { sql, token, webhooks }: NonNullable<MetricsContext['admin']>,
): Promise<AdminResponse | undefined> {
  return (
    (await respondToKeys(request, path, { sql, token })) ?? (await respondToWebhooks(request, path, token, webhooks))
  );
}

/** Reads what only the database knows; a database that is away is itself a measurement. */
async function measure({ metrics, sql, api, readiness, measureFollowing }: MetricsContext): Promise<void> {
  measureFollowing?.(metrics);
  if (readiness.servers) measureServers(metrics, readiness.servers());
  if (api) {
    metrics.responseCacheHits.set(api.responses.hits);
    metrics.responseCacheMisses.set(api.responses.misses);
    metrics.responseCacheBytes.set(api.responses.bytes);
    metrics.itemCacheHits.set(api.caches.items.hits);
    metrics.itemCacheMisses.set(api.caches.items.misses);
    metrics.itemCacheBytes.set(api.caches.items.bytes);
  }
  try {
    const [status, tip, connections] = await Promise.all([findIngestStatus(sql), findTip(sql), countConnections(sql)]);
    metrics.logHead.set(status.logged);
    metrics.foldPosition.set(status.folded);
    metrics.foldLag.set(status.lagSeconds);
    metrics.foldHalted.set(status.haltedAt === null ? 0 : 1);
    metrics.blocksAwaitingParent.set(status.parked);
    metrics.blocksIncomplete.set(status.incomplete.count);
    metrics.eventsQuarantined.set(status.quarantined);
    metrics.indexHashMismatches.set(status.indexHashMismatches);
    metrics.eventsSkipped.set(status.skipped);
    metrics.blockHeight.set(tip.height);
    metrics.burnBlockHeight.set(tip.burnHeight);
    metrics.databaseConnections.reset();
    for (const { name, state, count } of connections) metrics.databaseConnections.set({ name, state }, count);
    if (api) await measureSigners(metrics, sql);
    measureWebhooks(metrics, await listWebhookStandings(sql));
    measurePublishers(metrics, await listPublisherStandings(sql));
    metrics.databaseUp.set(1);
  } catch (error) {
    if (!databaseLost(error)) throw error;
    metrics.databaseUp.set(0);
  }
}

function measureServers(metrics: Metrics, servers: ReadServerReport[]): void {
  metrics.readServerInUse.reset();
  for (const { name: server, role, condition, in_use, lag_seconds, in_flight } of servers) {
    metrics.readServerInUse.set({ server, role, condition }, in_use ? 1 : 0);
    metrics.readServerLag.set({ server }, lag_seconds);
    metrics.readServerInFlight.set({ server }, in_flight);
  }
}

function measureWebhooks(metrics: Metrics, hooks: WebhookStanding[]): void {
  metrics.webhooks.reset();
  metrics.webhookFailing.reset();
  metrics.webhookBacklog.reset();
  for (const { name: hook, state, failing_seconds, backlog } of hooks) {
    metrics.webhooks.inc({ state });
    metrics.webhookFailing.set({ hook }, failing_seconds);
    // A hook that an operator has stopped does not have to catch up.
    if (state !== 'paused' && state !== 'disabled') metrics.webhookBacklog.set({ hook }, backlog);
  }
}

function measurePublishers(metrics: Metrics, publishers: PublisherStanding[]): void {
  metrics.publisherFailing.reset();
  metrics.publisherBacklog.reset();
  for (const { stream, state, failing_seconds, backlog } of publishers) {
    // Nobody is meant to publish to it.
    if (state === 'stopped') continue;
    metrics.publisherFailing.set({ stream }, failing_seconds);
    metrics.publisherBacklog.set({ stream }, backlog);
  }
}
