import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { databaseLost, isCancelled, isInvalidCharacter, isOutOfRange } from '../db/database-error.ts';
import { databaseUnavailable, PublicError } from '../errors.ts';
import type { Log } from '../log.ts';
import { EmptyResponse } from './reading.ts';
import { logFields } from './request-context.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Fields that all errors of the route have, whoever raises them. */
    errorFields?: Readonly<Record<string, unknown>>;
  }
}

const RETRY_SECONDS = '2';

/** A response to an unknown URL in another form than JSON; undefined where JSON is right. */
export type UnknownPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/** Turns an error of a handler into a response; internal errors are logged once and hidden. */
export function addErrorHandlers(app: FastifyInstance, log: Log, unknownPage?: UnknownPage): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, body: plain } = describe(error);
    const { errorFields } = request.routeOptions.config;
    const body = errorFields ? { ...(plain as object), ...errorFields } : plain;
    // A lost database is logged once by its watcher, not by every request.
    if (status >= 500 && !isPublic(error) && !isGivenUp(error, request)) {
      const fields = { ...logFields(request.raw), method: request.method, url: request.url };
      log.error({ err: error, ...fields }, `responded with status ${status}`);
    }
    if (status === 503) reply.header('retry-after', RETRY_SECONDS);
    if (status >= 500 || error.validation) reply.removeHeader('etag').header('cache-control', 'no-store');
    return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
  });
  app.setNotFoundHandler((request, reply) => unknownPage?.(request, reply) ?? notFoundRoute(request, reply));
}

const isPublic = (error: unknown) => error instanceof PublicError || databaseLost(error);

/** Statements of a client that left are cancelled, which is no failure. */
const isGivenUp = (error: FastifyError, request: FastifyRequest) => isCancelled(error) && request.raw.socket.destroyed;

function notFoundRoute(request: FastifyRequest, reply: FastifyReply) {
  const message = `Route ${request.method}:${request.url} not found`;
  return reply.code(404).send({ message, error: 'Not Found', statusCode: 404 });
}

/** The status and body of an error. */
export function describe(error: FastifyError | PublicError): { status: number; body: unknown } {
  if (error instanceof PublicError) return { status: error.status, body: error.body };
  if (error.validation) return shape(400, error.message, 'FST_ERR_VALIDATION');
  if (databaseLost(error)) return describe(databaseUnavailable());
  if (isCancelled(error)) return shape(503, 'The query took too long. Request fewer results, or narrow the filters');
  // Only a value of the caller can cause these two.
  if (isOutOfRange(error)) return shape(400, 'A number in the request is out of range');
  if (isInvalidCharacter(error)) return shape(400, 'The request contains an invalid character');
  if (error instanceof EmptyResponse) return shape(500, error.message);
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return shape(status, error.message, error.code);
  return shape(500, 'Internal error. The log of the service has the details');
}

function shape(status: number, message: string, code?: string) {
  return {
    status,
    body: { statusCode: status, ...(code && { code }), error: STATUS_CODES[status] ?? 'Error', message },
  };
}
