import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { ErrorBody } from '../../http/error-body.ts';
import { HEIGHT_HEADER } from '../../http/served-height.ts';
import type { ApiContext } from '../api-context.ts';
import { Batches } from './batch.ts';
import { Batch, BatchResults } from './batch-schema.ts';

const LARGEST_BODY = 500_000;

export const v1Batch: FastifyPluginAsyncTypebox<ApiContext> = async (app, { tip }) => {
  const batches = new Batches(app as unknown as FastifyInstance, tip);
  app.post(
    '/extended/v1/batch',
    {
      config: { freshness: 'tip', isCharged: true },
      bodyLimit: LARGEST_BODY,
      schema: {
        operationId: 'post_batch',
        summary: 'Get many responses of one state',
        description:
          'Returns the responses to up to 100 GETs of this API, all of the same state of the chain: the header `x-cairn-height` ' +
          'has the height of its tip. Parts about the mempool may be of different moments. Each request costs the client what ' +
          'it would cost on its own; one beyond its share has the status 429. A request whose response does not come from the ' +
          'index alone has the status 400. The status of the batch is 503 if the chain changes faster than it can be read.',
        tags: ['Batch'],
        body: Batch,
        response: { 200: BatchResults, 400: ErrorBody },
      },
    },
    async ({ sql, body, raw }, reply) => {
      const paths = body.requests.map(({ path }) => path);
      const client = {
        address: raw.socket.remoteAddress,
        headers: raw.headers,
        hasLeft: () => reply.raw.destroyed,
      };
      const { tip, json } = await batches.respond(sql, paths, client);
      // The text is complete: it would be parsed for nothing.
      if (tip.height >= 0) reply.header(HEIGHT_HEADER, tip.height);
      return reply
        .type('application/json; charset=utf-8')
        .serializer((text: string) => text)
        .send(json as never);
    },
  );
};
