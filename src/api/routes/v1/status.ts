import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Audit } from '../../../schemas/status/audit.ts';
import { IngestStatusBody } from '../../../schemas/status/status.ts';
import { readAudit, readIngestStatus } from '../../../views/status/status.ts';
import type { RouteContext } from '../../route-context.ts';

export const v1Status: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
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
        description: 'Returns how far the tables are behind the event log, and what could not be processed.',
        tags: ['Status'],
        response: { 200: IngestStatusBody },
      },
    },
    () => readIngestStatus(sql),
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
    () => readAudit(sql),
  );
};
