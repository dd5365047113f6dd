import type { PostToNode } from '../node/read-only-call.ts';
import type { NodePool } from '../proxy/pool/node-pool.ts';
import { callPool } from './node-call.ts';

/** Posts to the nodes of a pool, the best first, until one responds 200. */
export function postToPool(pool: NodePool): PostToNode {
  return async (path, json) => {
    const headers = { 'content-type': 'application/json' };
    const response = await callPool(pool, { method: 'POST', path, headers, body: Buffer.from(json) });
    return response?.body.toString('utf8');
  };
}
