import type { IncomingMessage, ServerResponse } from 'node:http';
import { type NodeProxy, REQUEST_ID_HEADER } from './node-proxy.ts';
import { lifetimeOf, plainPath } from './paths.ts';

export type FastPathOptions = {
  proxy: NodeProxy;
  /** Alternating names and values of the headers that every response has. */
  own: readonly string[];
  /** Maximum requests in progress; further ones go to the framework, which rejects them. */
  maxInFlight: number;
  onResponse?:
    | ((route: string, method: string, status: number, seconds: number, request: IncomingMessage) => void)
    | undefined;
};

/**
 * Handles plain reads of node state without the framework, which would add a third to the cost of proxying. Any unusual
 * request is declined and handled by the framework, with the same result.
 */
export function fastPath({ proxy, own, maxInFlight, onResponse }: FastPathOptions) {
  const { pool } = proxy.options;
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '', headers } = request;
    if (method !== 'GET' || !(url.startsWith('/v2/') || url.startsWith('/v3/'))) return false;
    if (pool.nodes.length === 0 || pool.open >= maxInFlight) return false;
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;
    const path = plainPath(url);
    if (!path || lifetimeOf(path.path) !== 'tip') return false;
    const started = performance.now();
    const route = url.startsWith('/v2/') ? '/v2/*' : '/v3/*';
    const onClose = () =>
      onResponse?.(route, 'GET', response.statusCode, (performance.now() - started) / 1000, request);
    const id = proxy.contextHeaders(request)[REQUEST_ID_HEADER];
    const all = id === undefined ? own : [...own, REQUEST_ID_HEADER, id];
    proxy.pass(path, { request, response, body: null, own: all, onClose });
    return true;
  };
}
