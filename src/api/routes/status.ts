import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { databaseUnavailable } from '../../errors.ts';
import { findIngestStatus } from '../../queries/status/status.ts';
import {
  BitcoinStatus,
  IngestStatusBody,
  renderBitcoinStatus,
  renderIngestStatus,
  renderServerStatus,
  ServerStatus,
} from '../../schemas/status/status.ts';
import { serverVersion } from '../../version.ts';
import { checkReadiness } from '../http/readiness.ts';
import type { RouteContext } from '../server.ts';

export const statusRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (app, context) => {
  const { sql, tip, readyMaxLag, readiness } = context;
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/extended', 301));

  app.get('/extended/v1/status', { schema: { hide: true } }, async (_request, reply) =>
    reply.redirect('/extended', 301),
  );

  app.get(
    '/extended',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_status',
        summary: 'Version of the service and tip of the chain',
        tags: ['Status'],
        response: { 200: ServerStatus },
      },
    },
    async () => {
      if (!tip.current) throw databaseUnavailable();
      return renderServerStatus(tip.current, serverVersion);
    },
  );

  app.get(
    '/bitcoin/v1',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_bitcoin_status',
        summary: 'The same, with every field always there',
        tags: ['Status'],
        response: { 200: BitcoinStatus },
      },
    },
    async () => {
      if (!tip.current) throw databaseUnavailable();
      return renderBitcoinStatus(tip.current, serverVersion);
    },
  );

  app.get(
    '/extended/v1/status/ingest',
    {
      schema: {
        operationId: 'get_ingest_status',
        summary: 'How far the tables are behind the log of events',
        tags: ['Status'],
        response: { 200: IngestStatusBody },
      },
    },
    async () => renderIngestStatus(await findIngestStatus(sql)),
  );

  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'alive' }));

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const { status, body } = await checkReadiness({ sql, tip, readyMaxLag, ...(readiness && { checks: readiness }) });
    if (status === 503) reply.header('retry-after', '2');
    return reply.code(status).send(body);
  });
};
