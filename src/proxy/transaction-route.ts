import type { FastifyReply, FastifyRequest } from 'fastify';
import { CodecError } from '../codec/error.ts';
import { readBroadcast } from './broadcast-body.ts';
import { checkTransaction, reject } from './broadcast-check.ts';
import type { Broadcaster } from './broadcaster.ts';
import type { NodeProxy } from './node-proxy.ts';

/** How long an accepted transaction may keep its sender waiting for the index. */
const ANNOUNCE_MS = 2000;

/** Takes a transaction, checks it, sends it, and makes it known to the index before it answers. */
export function broadcastRoute(proxy: NodeProxy, broadcaster: Broadcaster) {
  const { pool, network, log, announce } = proxy.options;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const broadcast = read(request.body);
    if ('reason' in broadcast) return reply.code(400).send(broadcast);
    const checked = checkTransaction(broadcast.raw, network);
    if ('reason' in checked) return reply.code(400).send(checked);
    const outcome = await broadcaster.send(broadcast, checked.accounts);
    if (outcome.kind === 'failed') throw proxy.errorOf(outcome.failure);
    const { node, answer, kind } = outcome;
    if (kind === 'accepted') {
      pool.sticky.remember([checked.txId, ...checked.accounts], node);
      await within(ANNOUNCE_MS, announce?.(broadcast.raw)).catch(error =>
        log.warn({ err: error, txId: checked.txId }, 'an accepted transaction is not in the index yet'),
      );
    }
    reply.header('x-stacks-node', node.name);
    if (node.height >= 0) reply.header('x-stacks-node-height', node.height);
    return reply
      .code(answer.status)
      .type(answer.type || 'application/json')
      .send(answer.body);
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
