import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { expect, test } from 'vitest';
import { startShell } from '../../support/api.ts';
import { tipAt } from '../../support/tip.ts';

const tip = tipAt(1);

const freshnesses = ['tip', 'none', 'content', undefined] as const;

const routes: FastifyPluginAsyncTypebox = async app => {
  for (const freshness of freshnesses) {
    const config = freshness === undefined ? {} : { freshness };
    app.get(`/resolved/${freshness}`, { config }, async () => undefined);
    app.get(`/returned/${freshness}`, { config }, () => undefined);
    app.get(`/sent/${freshness}`, { config }, async (_request, reply) => {
      reply.send({ sent: true });
    });
    app.get(`/hijacked/${freshness}`, { config }, async (_request, reply) => {
      reply.hijack();
      setImmediate(() => reply.raw.end('late'));
    });
  }
};

test('a handler that ends with nothing responds with 500 and names its route, whatever its freshness', async t => {
  const { app } = await startShell(t, { current: tip }, { routes });
  for (const freshness of freshnesses) {
    for (const url of [`/resolved/${freshness}`, `/returned/${freshness}`]) {
      const { statusCode, body } = await app.inject(url);
      expect([statusCode, JSON.parse(body)]).toEqual([
        500,
        {
          statusCode: 500,
          error: 'Internal Server Error',
          message: `GET ${url}: the handler ended without a response; it must return a value, or send or hijack the reply`,
        },
      ]);
    }
  }
});

test('a handler that has sent or hijacked its reply may end with nothing', async t => {
  const { app } = await startShell(t, { current: tip }, { routes });
  for (const freshness of ['none', 'tip', undefined]) {
    expect((await app.inject(`/sent/${freshness}`)).json()).toEqual({ sent: true });
    expect((await app.inject(`/hijacked/${freshness}`)).body).toBe('late');
  }
});
