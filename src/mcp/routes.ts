import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest, PublicError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Send } from './api-reader.ts';
import { buildMcpServer, loadSdk, type Sdk } from './mcp-server.ts';

/** A call is small; the largest is one of a read-only function with a list. */
const BODY_LIMIT = 64 * 1024;
/** Calls that are worked on at once. Each reads the API a few times, where the limits of the client and of the service hold. */
const MAX_CALLS = 64;

/** Headers of a call that its reads of the API have too: who pays for them, and on whose behalf a proxy asks. */
const PASSED = ['authorization', 'x-api-key', 'x-hiro-api-key', 'x-forwarded-for', 'user-agent'] as const;

export const serviceMcp: FastifyPluginAsyncTypebox<{ log: Log }> = async (app, { log }) => {
  let calls = 0;
  const sdk = await loadSdk();

  app.post(
    '/mcp',
    {
      bodyLimit: BODY_LIMIT,
      // Its reads of the API take places and pay: a call that held a place too could wait for itself.
      config: { longLived: true },
      schema: { hide: true },
    },
    async (request, reply) => {
      if (!sdk) throw new PublicError(501, 'MCP is not installed here: add the package @modelcontextprotocol/server');
      const { body } = request;
      if (Array.isArray(body))
        throw badRequest('Send one message at a time: batches are not part of the protocol any more');
      if (calls >= MAX_CALLS)
        throw new PublicError(503, 'Too many calls of tools are being worked on: try again in a second');
      calls++;
      const handler = handlerOf(sdk, app, request, log);
      try {
        const response = await handler.fetch(webRequest(request), { parsedBody: body });
        const type = response.headers.get('content-type');
        if (type) reply.type(type);
        return await reply.code(response.status).send(Buffer.from(await response.arrayBuffer()));
      } finally {
        calls--;
        await handler.close();
      }
    },
  );

  // Nothing is kept between calls, so there is no stream to open and no session to end.
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    schema: { hide: true },
    handler: async (_request, reply) => {
      reply.header('allow', 'POST');
      throw new PublicError(
        405,
        'This is a Model Context Protocol server without sessions: post to it. See /docs/agents.md',
      );
    },
  });
};

const handlerOf = (sdk: Sdk, app: FastifyInstance, request: FastifyRequest, log: Log): McpHttpHandler =>
  sdk.createMcpHandler(
    () => buildMcpServer(sdk, injectInto(app, request), error => log.error({ err: error }, 'a tool of /mcp failed')),
    // Tools do not change: there is nothing to subscribe to.
    { maxSubscriptions: 0, maxRequestBodySize: BODY_LIMIT },
  );

/** The request as the SDK reads it. Its URL is not looked at. */
function webRequest({ headers, raw }: FastifyRequest): Request {
  const copied = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name)
      ? [[name, value]]
      : [],
  );
  const left = new AbortController();
  raw.socket?.once('close', () => left.abort());
  return new Request('http://localhost/mcp', { method: 'POST', headers: copied, signal: left.signal });
}

/** Reads the API as the client of the call: with its address and its key, hence within its limits. */
function injectInto(app: FastifyInstance, request: FastifyRequest): Send {
  const headers = Object.fromEntries(
    PASSED.flatMap(name => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
  );
  const remoteAddress = request.raw.socket.remoteAddress ?? '';
  return async ({ method, url, body, signal }) => {
    const response = await app.inject({
      ...{ method, url, headers, remoteAddress },
      ...(body && { payload: body }),
      ...(signal && { signal }),
    });
    return { status: response.statusCode, body: parsed(response.body) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
