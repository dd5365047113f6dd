import type { FastifyRequest } from 'fastify';
import { badRequest } from '../errors.ts';
import { markOfFields } from './fields.ts';

type Params = { decode?: unknown; names?: unknown };

const paramsOf = (request: FastifyRequest): Params => (request.query as Params | null) ?? {};

/** Whether the Clarity values of a response are also shown as plain JSON. */
export const wantsJson = (request: FastifyRequest): boolean => paramsOf(request).decode === 'json';

/** Whether the names of principals are shown. */
export const wantsNames = (request: FastifyRequest): boolean => paramsOf(request).names === 'true';

/** Refuses values that mean nothing. */
export function checkAdditions(request: FastifyRequest): void {
  const { decode, names } = paramsOf(request);
  if (decode !== undefined && decode !== 'json') {
    throw badRequest('querystring/decode must be json');
  }
  if (names !== undefined && names !== 'true' && names !== 'false') {
    throw badRequest('querystring/names must be true or false');
  }
}

/** What tells the ETags of a response from those of the same response with other parts; empty for the plain one. */
export const markOfParams = (request: FastifyRequest): string =>
  markOfFields(request) + (wantsJson(request) ? '-j' : '');
