import type { PostToNode } from '../node/read-only-call.ts';
import type { NodePool } from '../proxy/pool/node-pool.ts';
import { askPool } from './node-ask.ts';

/** Posts to the nodes of a pool, the best first, until one answers 200. */
export function postToPool(pool: NodePool): PostToNode {
  return async (path, json) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await askPool(pool, { method: 'POST', path, headers, body: Buffer.from(json) });
    return answer?.body.toString('utf8');
  };
}
