import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Sql } from '../db/client.ts';
import { PublicError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Network } from '../network.ts';
import type { Tip } from '../queries/tip.ts';
import { Exchange, type Outlet } from './exchange.ts';
import { type Failure, publicFailure } from './failure.ts';
import { answerFromIndex } from './index-answers.ts';
import type { NodePool } from './node-pool.ts';
import { isRead, lifetimeOf, type NodePath, readPath } from './paths.ts';
import { relayTo } from './relay.ts';

export type NodeProxyOptions = {
  pool: NodePool;
  sql: Sql;
  tip: { readonly current: Tip | undefined };
  network: Network;
  log: Log;
  bodyLimit: number;
  /** Node-only paths that are offered all the same. */
  nodePaths: readonly string[];
  broadcastNodes: number;
  /** Where the pool shows itself to Prometheus. */
  registry?: Registry;
  /** Makes an accepted transaction known to the index; resolves when it is in its answers. */
  announce?: (raw: Uint8Array) => Promise<void>;
};

/** Says in an answer that the index gave it, since no node could. */
export const SOURCE_HEADER = 'x-cairn-source';

/** Passes requests on to the pool and answers from the index where the pool cannot. */
export class NodeProxy {
  readonly options: NodeProxyOptions;

  constructor(options: NodeProxyOptions) {
    this.options = options;
  }

  /** Passes a request on as it is. */
  pass(request: FastifyRequest, reply: FastifyReply): void {
    const path = readPath(request.raw.url ?? '/', this.options.nodePaths);
    const lifetime = request.method === 'POST' ? 'none' : lifetimeOf(path.path);
    const onFailure = (failure: Failure | undefined) => void this.fallBack(path, request, reply, failure);
    this.exchange(path, request, reply, relayTo({ request, reply, lifetime, onFailure }));
  }

  /** Asks the pool; the outlet gets what comes of it. */
  exchange({ target, path, guarded }: NodePath, request: FastifyRequest, reply: FastifyReply, outlet: Outlet): void {
    const { pool } = this.options;
    const method = request.method === 'POST' ? 'POST' : 'GET';
    const call = {
      method,
      path: target,
      headers: passedHeaders(request, guarded),
      body: method === 'POST' ? ((request.body as Buffer | undefined) ?? null) : null,
      repeatable: isRead(method, path),
      prefer: pool.sticky.find(target),
    } as const;
    const exchange = new Exchange(pool, call, outlet);
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) exchange.cancel();
    });
    exchange.start();
  }

  /** Answers from the index, or says what is wrong with the nodes. */
  async fallBack(
    { target, path }: NodePath,
    request: FastifyRequest,
    reply: FastifyReply,
    failure: Failure | undefined,
  ): Promise<void> {
    const { log } = this.options;
    if (failure) log.debug({ url: request.url, ...failure }, 'no node answered a request');
    try {
      const answer =
        failure?.kind === 'request' || request.method === 'POST' ? undefined : await this.#index(path, target);
      if (answer === undefined) throw this.errorOf(failure);
      const height = this.options.tip.current?.height;
      reply.header(SOURCE_HEADER, 'index').header('x-stacks-node-height', height).send(answer);
    } catch (error) {
      if (error instanceof PublicError) return void reply.send(error);
      log.warn({ err: error }, 'the index could not answer in place of the nodes');
      reply.send(publicFailure(failure));
    }
  }

  errorOf(failure: Failure | undefined): PublicError {
    const { pool } = this.options;
    if (pool.nodes.length === 0) return new PublicError(503, 'This service has no node behind it: set CAIRN_NODES');
    if (!failure && pool.busy) return new PublicError(503, 'The nodes are busy; try again in a moment');
    return publicFailure(failure);
  }

  async #index(path: string, target: string): Promise<unknown> {
    const { sql, tip, network, pool } = this.options;
    const query = new URLSearchParams(target.split('?')[1] ?? '');
    return await answerFromIndex(path, query, { sql, tip, network, lastInfo: () => pool.lastInfo });
  }
}

/** All other headers stay here: what a node does not need cannot confuse it. */
function passedHeaders({ raw: { headers } }: FastifyRequest, guarded: boolean): Record<string, string> {
  const passed: Record<string, string> = {};
  if (headers.accept !== undefined) passed.accept = headers.accept;
  if (headers['content-type'] !== undefined) passed['content-type'] = headers['content-type'];
  if (guarded && headers.authorization !== undefined) passed.authorization = headers.authorization;
  return passed;
}
