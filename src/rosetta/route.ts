import type { Static, TSchema } from 'typebox';
import type { Reader } from '../db/client.ts';

/** One POST endpoint below `/rosetta/v1`; its handler has its dependencies from its factory. */
export type RosettaRoute = {
  path: `/${string}`;
  operationId: string;
  summary: string;
  description?: string;
  /** Rate-limit units of a request. Default: 1. */
  cost?: number;
  request: TSchema;
  response: TSchema;
  /** Reads with the connection of the request. */
  handler(request: never, sql: Reader): unknown;
};

/** Declares a route whose handler is typed by its schemas. */
export function rosettaRoute<Q extends TSchema, A extends TSchema>(
  route: Omit<RosettaRoute, 'request' | 'response' | 'handler'> & {
    request: Q;
    response: A;
    handler(request: Static<Q>, sql: Reader): Static<A> | Promise<Static<A>>;
  },
): RosettaRoute {
  return route;
}
