import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { RequestLimitsBody, renderLimits } from '../../http/limits/limits-schema.ts';
import type { RouteContext } from '../route-context.ts';
import { listBatches, listReorgs } from './activity-queries.ts';
import { IngestActivity, renderActivity } from './activity-schema.ts';
import { findAudit } from './audit-queries.ts';
import { Audit, renderAudit } from './audit-schema.ts';
import { findDatabaseSize } from './database-queries.ts';
import { DatabaseStatus, renderDatabase } from './database-schema.ts';
import { findIngestStatus } from './status-queries.ts';
import { IngestStatusBody, renderIngestStatus } from './status-schema.ts';
import { listWebhookStandings } from './webhooks-queries.ts';
import { renderWebhooks, WebhooksStatus } from './webhooks-schema.ts';

/** How many of the last transactions of the fold, and of the last forks, are shown. */
const BATCHES = 60;
const REORGS = 20;

export const v1Status: FastifyPluginAsyncTypebox<RouteContext> = async (app, context) => {
  const { limits, readServers, conditions } = context;
  app.get('/extended/v1/status', { schema: { hide: true } }, async (_request, reply) =>
    reply.redirect('/extended', 301),
  );

  app.get(
    '/extended/v1/status/ingest',
    {
      config: { freshness: 'none' },
      schema: {
        operationId: 'get_ingest_status',
        summary: 'Get the ingestion status',
        description:
          'Returns how far the tables are behind the event log and the nodes, and what could not be processed.',
        tags: ['Status'],
        response: { 200: IngestStatusBody },
      },
    },
    async ({ sql }) => {
      const known = conditions();
      return renderIngestStatus(await findIngestStatus(sql), known);
    },
  );

  app.get(
    '/extended/v1/status/activity',
    {
      config: { freshness: 'mempool' },
      schema: {
        operationId: 'get_ingest_activity',
        summary: 'Get what ingest did last',
        description: 'Returns the last batches that changed the tables, and the last forks that removed blocks.',
        tags: ['Status'],
        response: { 200: IngestActivity },
      },
    },
    ({ sql }) =>
      inSnapshot(sql, async snapshot =>
        renderActivity(await listBatches(snapshot, BATCHES), await listReorgs(snapshot, REORGS)),
      ),
  );

  app.get(
    '/extended/v1/status/limits',
    {
      schema: {
        operationId: 'get_request_limits',
        summary: 'Get the limits of requests',
        description: 'Returns how much each client may request, and how many requests this process refused.',
        tags: ['Status'],
        response: { 200: RequestLimitsBody },
      },
    },
    async () => renderLimits(limits()),
  );

  app.get(
    '/extended/v1/status/database',
    {
      config: { freshness: 'none', cost: 3 },
      schema: {
        operationId: 'get_database_status',
        summary: 'Get the status of the database',
        description:
          'Returns the size of the database, and the state of each server that responses of this process are read from.',
        tags: ['Status'],
        response: { 200: DatabaseStatus },
      },
    },
    async ({ sql }) => renderDatabase(await findDatabaseSize(sql), readServers()),
  );

  app.get(
    '/extended/v1/status/audit',
    {
      config: { freshness: 'none' },
      schema: {
        operationId: 'get_audit',
        summary: 'Get the status of the continuous audit',
        description:
          'Returns up to which block the tables were checked against the accounting rules, and what the checks found.',
        tags: ['Status'],
        response: { 200: Audit },
      },
    },
    async ({ sql }) => renderAudit(await findAudit(sql)),
  );

  app.get(
    '/extended/v1/status/webhooks',
    {
      config: { freshness: 'none' },
      schema: {
        operationId: 'get_webhooks_status',
        summary: 'Get the status of the webhooks',
        description: 'Returns the names of the webhooks of this service, how far they are, and whether they arrive.',
        tags: ['Status'],
        response: { 200: WebhooksStatus },
      },
    },
    async ({ sql }) => renderWebhooks(await listWebhookStandings(sql)),
  );
};
