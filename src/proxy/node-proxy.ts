import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Network } from '@cairn-stacks/codec/network';
import type { Registry } from 'prom-client';
import type { Tip } from '../cache/tip-queries.ts';
import type { Reads } from '../db/reads.ts';
import { PublicError } from '../errors.ts';
import type { Log } from '../log.ts';
import { Broadcaster } from './broadcaster.ts';
import { Exchange, type Outlet } from './exchange.ts';
import { type Failure, publicFailure } from './failure.ts';
import { respondFromIndex } from './index-responses.ts';
import { isRead, type Lifetime, lifetimeOf, type NodePath, readPath } from './paths.ts';
import type { NodePool } from './pool/node-pool.ts';
import { type Client, type RelayRules, relayTo, sendJson } from './relay.ts';

export type NodeProxyOptions = {
  pool: NodePool;
  reads: Pick<Reads, 'run'>;
  tip: { readonly current: Tip | undefined };
  network: Network;
  log: Log;
  bodyLimit: number;
  /** Paths that are blocked by default and should be proxied. */
  nodePaths: readonly string[];
  broadcastNodes: number;
  /** The Prometheus registry for the metrics of the pool. */
  registry?: Registry;
  /** Headers that identify a request at the node and in log lines; none by default. */
  contextOf?: (request: IncomingMessage) => Record<string, string>;
  /** Called after each request that went to the nodes: the name of the node, and the status or the kind of failure. */
  onForwarded?: (request: IncomingMessage, node: string | undefined, outcome: number | string, ms: number) => void;
  /** Announces an accepted transaction to the index; resolves when responses show it. */
  announce?: (raw: Uint8Array) => Promise<void>;
};

/** Header of a response that comes from the index because no node responded. */
const SOURCE_HEADER = 'x-cairn-source';
export const REQUEST_ID_HEADER = 'x-request-id';
const RETRY_SECONDS = '2';

const rulesOf = (lifetime: Lifetime): RelayRules => ({
  lifetime,
  passed: ['content-type', 'content-encoding', 'last-modified', 'x-canonical-stacks-tip-height'],
  describe: ({ name, height }) =>
    height < 0 ? ['x-stacks-node', name] : ['x-stacks-node', name, 'x-stacks-node-height', String(height)],
});
const RULES = { immutable: rulesOf('immutable'), tip: rulesOf('tip'), none: rulesOf('none') };

/** A response of this service instead of a node. */
export type OwnResponse = { status: number; headers: Record<string, string>; body: unknown };

/** Passes requests to the pool, and responds from the index if the pool cannot. */
export class NodeProxy {
  readonly options: NodeProxyOptions;
  readonly broadcaster: Broadcaster;

  constructor(options: NodeProxyOptions) {
    this.options = options;
    this.broadcaster = new Broadcaster(options.pool, options.broadcastNodes);
  }

  /** The checked node path of a request; throws if it is not allowed. */
  pathOf(request: IncomingMessage): NodePath {
    return readPath(request.url ?? '/', this.options.nodePaths);
  }

  /** Proxies a request unchanged and always sends a response. */
  pass(path: NodePath, client: Client): void {
    const { method = 'GET' } = client.request;
    const lifetime = method === 'POST' ? 'none' : lifetimeOf(path.path);
    const outlet = relayTo(client, RULES[lifetime], failure => {
      void this.fallBack(path, method, failure, client.request).then(({ status, headers, body }) =>
        sendJson(client, status, Object.entries(headers).flat(), body),
      );
    });
    this.exchange(path, client, outlet);
  }

  /** Sends a call to the pool; the outlet receives the result. */
  exchange({ target, path, guarded }: NodePath, { request, response, body, onClose }: Client, outlet: Outlet): void {
    const { pool } = this.options;
    const method = request.method === 'POST' ? 'POST' : 'GET';
    const repeatable = isRead(method, path);
    const headers = { ...this.contextHeaders(request), ...passedHeaders(request.headers, guarded) };
    const call = { method, path: target, headers, body, repeatable, prefer: pool.sticky.find(target) } as const;
    const exchange = new Exchange(pool, call, this.#watched(request, outlet));
    response.once('close', () => {
      if (!response.writableFinished) exchange.cancel();
      onClose?.();
    });
    exchange.start();
  }

  /** The headers by which a node can log the same request. */
  contextHeaders(request: IncomingMessage): Record<string, string> {
    return this.options.contextOf?.(request) ?? {};
  }

  /** Reports the result, if somebody wants to know it. */
  #watched(request: IncomingMessage, outlet: Outlet): Outlet {
    const { onForwarded } = this.options;
    if (!onForwarded) return outlet;
    const started = performance.now();
    const report = (node: string | undefined, outcome: number | string) =>
      onForwarded(request, node, outcome, performance.now() - started);
    return {
      respond(node, head, body) {
        report(node.name, head.status);
        outlet.respond(node, head, body);
      },
      stream(node, head, resume) {
        report(node.name, head.status);
        return outlet.stream(node, head, resume);
      },
      fail(failure) {
        report(undefined, failure?.kind ?? 'no node');
        outlet.fail(failure);
      },
    };
  }

  /** The response from the index, or the error of the nodes. */
  async fallBack(
    { target, path }: NodePath,
    method: string,
    failure: Failure | undefined,
    request: IncomingMessage,
  ): Promise<OwnResponse> {
    const { log, tip } = this.options;
    const id = this.contextHeaders(request)[REQUEST_ID_HEADER];
    if (failure) log.debug({ request_id: id, path, ...failure }, 'no node responded to a request');
    try {
      const indexMayServe = failure?.kind !== 'request' && method !== 'POST';
      const body = indexMayServe ? await this.#index(path, target) : undefined;
      if (body === undefined) return refusal(this.errorOf(failure));
      const headers = { [SOURCE_HEADER]: 'index', 'x-stacks-node-height': String(tip.current?.height ?? -1) };
      return { status: 200, headers, body };
    } catch (error) {
      if (error instanceof PublicError) return refusal(error);
      log.warn({ request_id: id, err: error }, 'the index could not respond instead of the nodes');
      return refusal(this.errorOf(failure));
    }
  }

  errorOf(failure: Failure | undefined): PublicError {
    const { pool } = this.options;
    if (pool.nodes.length === 0) return new PublicError(503, 'This service has no node behind it: set CAIRN_NODES');
    if (!failure && pool.busy) return new PublicError(503, 'The nodes are busy; try again in a moment');
    return publicFailure(failure);
  }

  async #index(path: string, target: string): Promise<unknown> {
    const { reads, tip, network, pool } = this.options;
    const query = new URLSearchParams(target.split('?')[1] ?? '');
    return await reads.run(sql => respondFromIndex(path, query, { sql, tip, network, lastInfo: () => pool.lastInfo }));
  }
}

const refusal = ({ status, body }: PublicError): OwnResponse => ({
  status,
  headers: status === 503 ? { 'retry-after': RETRY_SECONDS } : {},
  body,
});

/** Only these headers are passed to the node. */
function passedHeaders(headers: IncomingHttpHeaders, guarded: boolean): Record<string, string> | undefined {
  const { accept, 'content-type': type, authorization } = headers;
  if (accept === undefined && type === undefined && !guarded) return undefined;
  return {
    ...(accept !== undefined && { accept }),
    ...(type !== undefined && { 'content-type': type }),
    // A key of this service is not for the node.
    ...(guarded && authorization !== undefined && !/^bearer cairn_/i.test(authorization) && { authorization }),
  };
}
