import { PublicError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { Exchange, type Outlet, type Upstreams } from '../exchange.ts';
import type { Failure } from '../failure.ts';
import { readTarget } from '../paths.ts';
import type { Wish } from '../pool/choice.ts';
import { PoolNode } from '../pool/pool-node.ts';
import { type Client, type RelayRules, relayTo, sendJson } from '../relay.ts';

export type ForwardOptions = {
  /** The beginning of the paths that are forwarded, such as `/metadata`. */
  prefix: string;
  /** The name of the service in messages to clients. */
  title: string;
  /** The setting that has its address. */
  setting: string;
  address: { url: string; headers: Readonly<Record<string, string>> };
  timeoutMs: number;
  connections: number;
  responseLimit: number;
  log: Log;
  /** Called after each request with `answered` or the kind of its failure. */
  onOutcome?: (outcome: string) => void;
};

const RULES: RelayRules = {
  lifetime: 'none',
  passed: ['content-type', 'content-encoding', 'last-modified', 'etag', 'retry-after'],
};
/** The headers of a client that reach the service; cookies and credentials do not. */
const PASSED_HEADERS = ['accept', 'content-type', 'if-none-match'] as const;
/** A read is sent twice at most. */
const MAX_TRIES = 2;
const LOG_MS = 60_000;
const RETRY_SECONDS = '2';

/** Forwards requests to a service that serves the same paths, by the rules of the node proxy. */
export class ForwardedService implements Upstreams {
  readonly options: ForwardOptions & Upstreams['options'];
  open = 0;
  hedges = 0;
  /** There is no second service to call. */
  readonly mayHedge = false;
  readonly #service: PoolNode;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ForwardOptions) {
    this.options = { ...options, hedgeDelayMs: options.timeoutMs };
    const setting = { ...options.address, name: options.prefix.slice(1), weight: 1, auth: undefined };
    this.#service = new PoolNode(setting, 0, options);
  }

  choose({ except = [] }: Wish = {}): PoolNode | undefined {
    const { inFlight, connections } = this.#service;
    return inFlight < connections && except.length < MAX_TRIES ? this.#service : undefined;
  }

  /** The checked target of a request; throws if the service might interpret it differently. */
  targetOf(url: string): string {
    const { path } = readTarget(url);
    const { prefix } = this.options;
    if (path !== prefix && !path.startsWith(`${prefix}/`)) throw new PublicError(404, `Route ${path} not found`);
    return url;
  }

  /** Forwards a request and always sends a response. */
  pass(target: string, client: Client): void {
    const { request, response, body } = client;
    const method = request.method === 'POST' ? 'POST' : 'GET';
    // A poll of Socket.IO takes messages out of a queue, so that it must not be repeated; its responses may be HTML.
    const poll = target.startsWith(`${this.options.prefix}/socket.io`);
    const repeatable = method === 'GET' && !poll;
    const headers = Object.fromEntries(
      PASSED_HEADERS.flatMap(name => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
    );
    const outlet = this.#counted(relayTo(client, RULES, failure => this.#respondWith(client, failure)));
    const exchange = new Exchange(this, { method, path: target, headers, body, repeatable, html: poll }, outlet);
    response.once('close', () => {
      if (!response.writableFinished) exchange.cancel();
    });
    exchange.start();
  }

  async stop(): Promise<void> {
    await this.#service.rpc.close();
  }

  #counted({ respond, stream, fail }: Outlet): Outlet {
    const count = (outcome: string) => this.options.onOutcome?.(outcome);
    return {
      respond(...args) {
        count('answered');
        respond(...args);
      },
      stream(...args) {
        count('answered');
        return stream(...args);
      },
      fail(failure) {
        count(failure?.kind ?? 'busy');
        fail(failure);
      },
    };
  }

  #respondWith(client: Client, failure: Failure | undefined): void {
    const { setting, title, log } = this.options;
    if (failure && failure.kind !== 'request' && performance.now() - this.#loggedAt > LOG_MS) {
      this.#loggedAt = performance.now();
      log.warn({ ...failure }, `a request could not be forwarded: check ${setting} and the service behind it`);
    }
    const { status, body } = errorOf(failure, title);
    sendJson(client, status, status === 503 ? ['retry-after', RETRY_SECONDS] : [], body);
  }
}

/** The error for the client; it has neither the address nor the response of the service. */
export function errorOf(failure: Failure | undefined, title: string): PublicError {
  if (!failure) return new PublicError(503, `${title} is busy; try again in a moment`);
  switch (failure.kind) {
    case 'timeout':
    case 'slow':
      return new PublicError(504, `${title} did not respond in time; try again shortly`);
    case 'connect':
      return new PublicError(502, `${title} cannot be reached; try again later, or tell the operator of this API`);
    case 'request':
      return new PublicError(400, 'The request has a path or a header that cannot be passed on');
    case 'large':
      return new PublicError(
        502,
        `The response of ${title.toLowerCase()} is larger than this API allows; request less`,
      );
    default:
      return new PublicError(502, `${title} gave no usable response; try again shortly`);
  }
}
