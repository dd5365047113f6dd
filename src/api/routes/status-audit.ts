import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { findAudit } from '../../queries/status/audit.ts';
import { Audit, renderAudit } from '../../schemas/status/audit.ts';
import type { RouteContext } from '../server.ts';

export const auditRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
  app.get(
    '/extended/v1/status/audit',
    {
      schema: {
        operationId: 'get_audit',
        summary: 'What the continuous audit has looked at and found',
        tags: ['Status'],
        response: { 200: Audit },
      },
    },
    async () => renderAudit(await findAudit(sql)),
  );
};
