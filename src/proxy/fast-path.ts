import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeProxy } from './node-proxy.ts';
import { lifetimeOf, plainPath } from './paths.ts';

export type FastPathOptions = {
  proxy: NodeProxy;
  /** Names and values in turn of the headers that every answer of the service has. */
  own: readonly string[];
  /** Requests worked on at once; more take the long way, where they are refused. */
  maxInFlight: number;
  onAnswer?: ((route: string, method: string, status: number, seconds: number) => void) | undefined;
};

/**
 * Takes the plain reads of a node's state past the framework, which would add a third to what passing them on costs. What
 * is in any way unusual is declined and goes the way of all requests, with the same outcome.
 */
export function fastPath({ proxy, own, maxInFlight, onAnswer }: FastPathOptions) {
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
    const onClose = () => onAnswer?.(route, 'GET', response.statusCode, (performance.now() - started) / 1000);
    proxy.pass(path, { request, response, body: null, own, onClose });
    return true;
  };
}
