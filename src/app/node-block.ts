import type { NodePool } from '../proxy/pool/node-pool.ts';
import type { ReadNodeBlock } from '../read/transactions/proof-view.ts';

/** More than the largest block. */
const maxBytes = 8 << 20;
const timeoutMs = 10_000;

/** Reads blocks from the nodes of a pool, the best one first. */
export function nodeBlockReader(pool: NodePool): ReadNodeBlock {
  return async id => {
    const tried: NodePool['nodes'][number][] = [];
    for (let node = pool.choose(); node; node = pool.choose({ except: tried })) {
      tried.push(node);
      const call = { method: 'GET' as const, path: `/v3/blocks/${id}` };
      const response = await node.rpc.call(call, { timeoutMs, maxBytes }).catch(() => undefined);
      if (response?.status === 200) return response.body;
    }
    return undefined;
  };
}
