import type { PostToNode } from '../node/read-only-call.ts';
import type { NodePool } from '../proxy/node-pool.ts';

const maxBytes = 1_000_000;
const timeoutMs = 5000;

/** Posts to the nodes of a pool, the best first, until one answers 200. */
export function postToPool(pool: NodePool): PostToNode {
  return async (path, json) => {
    const tried: NodePool['nodes'][number][] = [];
    for (let i = 0; i < pool.nodes.length; i++) {
      const node = pool.choose({ except: tried });
      if (!node) return undefined;
      tried.push(node);
      const headers = { 'content-type': 'application/json' };
      const answer = await node.rpc
        .ask({ method: 'POST', path, headers, body: Buffer.from(json) }, { timeoutMs, maxBytes })
        .catch(() => undefined);
      if (answer?.status === 200) return answer.body.toString('utf8');
    }
    return undefined;
  };
}
