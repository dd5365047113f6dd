import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { notFound } from '../../errors.ts';
import type { ApiContext } from '../api-context.ts';
import { guides, llmsText, readGuide } from './guides.ts';

/** `/llms.txt`, and the guides as Markdown. */
export const serviceGuides: FastifyPluginAsyncTypebox<ApiContext> = async (app, { network }) => {
  app.get('/llms.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText(network.name)),
  );
  for (const name of Object.keys(guides)) {
    app.get(`/docs/${name}`, { schema: { hide: true } }, async (_request, reply) => {
      const text = readGuide(name);
      if (text === undefined)
        throw notFound('The guides are not installed here: they are in the folder docs of the project');
      return reply.type('text/markdown; charset=utf-8').send(text);
    });
  }
};
