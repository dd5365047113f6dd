import { CodecError } from '@cairn-stacks/codec/error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RpcResponse } from '../node/rpc.ts';
import { type Broadcast, readBroadcast } from './broadcast-body.ts';
import { checkTransaction, reject } from './broadcast-check.ts';
import { type NodeProxy, REQUEST_ID_HEADER } from './node-proxy.ts';
import type { PoolNode } from './pool/pool-node.ts';
import type { TransactionRejection } from './schemas/node-transaction.ts';

/** Maximum time that the sender of an accepted transaction waits for the index. */
const ANNOUNCE_MS = 2000;

/** Result of a transaction: a rejection by this service, or the response of a node. */
export type Sent = { rejection: TransactionRejection } | ({ kind: 'accepted' | 'rejected'; txId: string } & Judged);

type Judged = { node: PoolNode; response: RpcResponse };

/**
 * Checks a transaction, broadcasts it, and announces it to the index; throws if no node responded. The context identifies the
 * request at the nodes.
 */
export async function sendTransaction(
  proxy: NodeProxy,
  broadcast: Broadcast,
  context: Record<string, string> = {},
): Promise<Sent> {
  const { pool, network, log, announce } = proxy.options;
  const checked = checkTransaction(broadcast.raw, network);
  if ('reason' in checked) return { rejection: checked };
  const outcome = await proxy.broadcaster.send(broadcast, checked.accounts, context);
  if (outcome.kind === 'failed') throw proxy.errorOf(outcome.failure);
  if (outcome.kind === 'accepted') {
    pool.sticky.remember([checked.txId, ...checked.accounts], outcome.node);
    await within(ANNOUNCE_MS, announce?.(broadcast.raw)).catch(error =>
      log.warn(
        { request_id: context[REQUEST_ID_HEADER], err: error, txId: checked.txId },
        'an accepted transaction is not in the index yet',
      ),
    );
  }
  return { ...outcome, txId: checked.txId };
}

/** Handles `POST /v2/transactions`. */
export function broadcastRoute(proxy: NodeProxy) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const broadcast = read(request.body);
    if ('reason' in broadcast) return reply.code(400).send(broadcast);
    const sent = await sendTransaction(proxy, broadcast, proxy.contextHeaders(request.raw));
    if ('rejection' in sent) return reply.code(400).send(sent.rejection);
    const { node, response } = sent;
    reply.header('x-stacks-node', node.name);
    if (node.height >= 0) reply.header('x-stacks-node-height', node.height);
    return reply
      .code(response.status)
      .type(response.type || 'application/json')
      .send(response.body);
  };
}

function read(body: unknown) {
  try {
    return readBroadcast(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return reject('', 'Deserialization', { message: error.message });
  }
}

async function within(ms: number, work: Promise<void> | undefined): Promise<void> {
  if (!work) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not within ${ms} ms`)), ms);
  });
  work.catch(() => {});
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
