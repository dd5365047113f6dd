import type { PostToNode } from '../node/read-only-call.ts';
import type { RpcCall, RpcResponse } from '../node/rpc.ts';
import type { NodePool } from '../proxy/pool/node-pool.ts';

const maxBytes = 1_000_000;
const timeoutMs = 5000;

/** Sends a call to the nodes of a pool, the best one first, until one responds 200; undefined if none does. */
export function callPool(pool: NodePool, call: RpcCall): Promise<RpcResponse | undefined> {
  return readFromPool(pool, call, response => response);
}

/** Like `callPool`, but also tries the next node when `read` returns undefined. */
export async function readFromPool<T>(
  pool: NodePool,
  call: RpcCall,
  read: (response: RpcResponse) => T | undefined,
): Promise<T | undefined> {
  const tried: NodePool['nodes'][number][] = [];
  for (let i = 0; i < pool.nodes.length; i++) {
    const node = pool.choose({ except: tried });
    if (!node) return undefined;
    tried.push(node);
    const response = await node.rpc.call(call, { timeoutMs, maxBytes }).catch(() => undefined);
    const value = response?.status === 200 ? read(response) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Posts to the nodes of a pool, the best first, until one responds 200. */
export function postToPool(pool: NodePool): PostToNode {
  return async (path, json) => {
    const headers = { 'content-type': 'application/json' };
    const response = await callPool(pool, { method: 'POST', path, headers, body: Buffer.from(json) });
    return response?.body.toString('utf8');
  };
}

/** Sends a call to the nodes of a pool until one has the answer, or says that there is none (400 or 404). */
export async function answerFromPool(pool: NodePool, call: RpcCall): Promise<RpcResponse | undefined> {
  const isAnswer = ({ status }: RpcResponse) => status === 200 || status === 400 || status === 404;
  const tried: NodePool['nodes'][number][] = [];
  for (let node = pool.choose(); node; node = pool.choose({ except: tried })) {
    tried.push(node);
    const response = await node.rpc.call(call, { timeoutMs, maxBytes }).catch(() => undefined);
    if (response && isAnswer(response)) return response;
  }
  return undefined;
}
