import type { RpcAnswer, RpcCall } from '../node/rpc.ts';
import type { NodePool } from '../proxy/node-pool.ts';

const maxBytes = 1_000_000;
const timeoutMs = 5000;

/** Asks the nodes of a pool a question of our own, the best first, until one answers 200. */
export async function askPool(pool: NodePool, call: RpcCall): Promise<RpcAnswer | undefined> {
  const tried: NodePool['nodes'][number][] = [];
  for (let i = 0; i < pool.nodes.length; i++) {
    const node = pool.choose({ except: tried });
    if (!node) return undefined;
    tried.push(node);
    const answer = await node.rpc.ask(call, { timeoutMs, maxBytes }).catch(() => undefined);
    if (answer?.status === 200) return answer;
  }
  return undefined;
}
