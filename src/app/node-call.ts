import type { RpcAnswer, RpcCall } from '../node/rpc.ts';
import type { NodePool } from '../proxy/pool/node-pool.ts';

const maxBytes = 1_000_000;
const timeoutMs = 5000;

/** Sends a call to the nodes of a pool, the best one first, until one responds 200; undefined if none does. */
export function callPool(pool: NodePool, call: RpcCall): Promise<RpcAnswer | undefined> {
  return readFromPool(pool, call, response => response);
}

/** Like `callPool`, but also tries the next node when `read` returns undefined. */
export async function readFromPool<T>(
  pool: NodePool,
  call: RpcCall,
  read: (response: RpcAnswer) => T | undefined,
): Promise<T | undefined> {
  const tried: NodePool['nodes'][number][] = [];
  for (let i = 0; i < pool.nodes.length; i++) {
    const node = pool.choose({ except: tried });
    if (!node) return undefined;
    tried.push(node);
    const response = await node.rpc.ask(call, { timeoutMs, maxBytes }).catch(() => undefined);
    const value = response?.status === 200 ? read(response) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}
