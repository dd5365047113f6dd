import { createHash } from 'node:crypto';
import type { Network } from '@cairn-stacks/codec/network';
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { PublicError } from '../errors.ts';
import type { Log } from '../log.ts';
import { parseBody } from './body.ts';
import { RosettaError, UNAVAILABLE } from './errors.ts';
import { checkNetwork } from './network.ts';
import { Pace } from './pace.ts';
import { isLarge, weakEtag, writePacedJson } from './paced-json.ts';
import { requestCheck } from './request.ts';
import type { RosettaRoute } from './route.ts';
import { RosettaErrorBody } from './schemas/rosetta.ts';

export type RosettaServerOptions = {
  routes: readonly RosettaRoute[];
  network: Network;
  /** Follows the incumbent where it differs from the specification. */
  compat: boolean;
  /** Largest request body in bytes. */
  bodyLimit: number;
  log: Log;
  /** True for an error that means that the database is unavailable or cancelled the query. */
  unavailable?: (error: unknown) => boolean;
};

const PREFIX = '/rosetta/v1';
const RETRY_SECONDS = '2';
/** The size of the largest transaction in hex, with space for the other fields. */
const LARGEST_BODY = 5_000_000;

/** The Rosetta (Mesh) API as a plugin: routes with their validation, error objects and headers. */
export function rosettaServer(options: RosettaServerOptions): FastifyPluginAsync {
  return async app => {
    await app.register(async scope => mount(scope, options), { prefix: PREFIX });
  };
}

function mount(app: FastifyInstance, options: RosettaServerOptions): void {
  const { compat, network } = options;
  readJson(app);
  addErrorResponses(app, options);
  addEtags(app);
  // The routes validate bodies themselves, because each mistake has its own error object.
  app.setValidatorCompiler(() => () => true);
  for (const route of options.routes) {
    const check = requestCheck(route.request, compat);
    const named = 'network_identifier' in ((route.request as { properties?: object }).properties ?? {});
    const { operationId, summary, description } = route;
    app.post(route.path, {
      schema: {
        operationId,
        summary,
        ...(description !== undefined && { description }),
        tags: ['Rosetta'],
        body: route.request,
        response: compat
          ? { 200: route.response, '4xx': RosettaErrorBody, '5xx': RosettaErrorBody }
          : { 200: route.response, 500: RosettaErrorBody },
      },
      config: { freshness: 'none', readsChain: !route.path.startsWith('/construction/'), cost: route.cost ?? 1 },
      bodyLimit: Math.min(options.bodyLimit, LARGEST_BODY),
      handler: async (request, reply) => {
        const body = request.body ?? {};
        check(body);
        if (named) checkNetwork((body as { network_identifier: Named }).network_identifier, network);
        const result = await route.handler(body as never, request.sql);
        if (!isLarge(result)) return result;
        const { bytes, etag } = await writePacedJson(result, new Pace());
        return reply.type('application/json; charset=utf-8').header('etag', etag).send(bytes);
      },
    });
  }
}

type Named = { blockchain: string; network: string };

/** Parses every body as JSON, whatever its content type; a missing body is an empty request. */
function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    parseBody(text),
  );
}

function addErrorResponses(app: FastifyInstance, options: RosettaServerOptions): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = errorOf(error, options);
    if (!known) options.log.error({ err: error, url: request.url }, 'internal error');
    const { status, body } =
      // The incumbent treats a body that is not JSON as an internal error.
      options.compat && error instanceof SyntaxError
        ? { status: 500, body: { error: String(error) } }
        : (known ?? new RosettaError(612, undefined, 500)).response(options.compat);
    if (known?.code === UNAVAILABLE) reply.header('retry-after', RETRY_SECONDS);
    return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
  });
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ message: `${request.method} ${request.url} not found` }),
  );
}

/** The error object of an error; undefined for a fault of the program. */
function errorOf(error: FastifyError, { unavailable }: RosettaServerOptions): RosettaError | undefined {
  if (error instanceof RosettaError) return error;
  if (error instanceof PublicError) return new RosettaError(UNAVAILABLE, error.message, error.status);
  if (unavailable?.(error)) return new RosettaError(UNAVAILABLE, 'the database does not respond: try again', 503);
  if (error instanceof SyntaxError) return new RosettaError(609, `the body is no JSON: ${error.message}`);
  const status = error.statusCode ?? 500;
  return status < 500 ? new RosettaError(609, error.message, status) : undefined;
}

/** A weak ETag of the bytes. */
function addEtags(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (typeof payload !== 'string') return payload;
    const digest = createHash('sha1').update(payload).digest('base64');
    reply.header('etag', weakEtag(Buffer.byteLength(payload), digest));
    return payload;
  });
}
