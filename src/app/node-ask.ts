import type { RpcAnswer, RpcCall } from '../node/rpc.ts';
import type { NodePool } from '../proxy/pool/node-pool.ts';

const maxBytes = 1_000_000;
const timeoutMs = 5000;

/** Asks the nodes of a pool a question of our own, the best first, until one answers 200. */
export function askPool(pool: NodePool, call: RpcCall): Promise<RpcAnswer | undefined> {
  return readFromPool(pool, call, answer => answer);
}

/** Asks until an answer can be read, too. */
export async function readFromPool<T>(
  pool: NodePool,
  call: RpcCall,
  read: (answer: RpcAnswer) => T | undefined,
): Promise<T | undefined> {
  const tried: NodePool['nodes'][number][] = [];
  for (let i = 0; i < pool.nodes.length; i++) {
    const node = pool.choose({ except: tried });
    if (!node) return undefined;
    tried.push(node);
    const answer = await node.rpc.ask(call, { timeoutMs, maxBytes }).catch(() => undefined);
    const value = answer?.status === 200 ? read(answer) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}
