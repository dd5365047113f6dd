import { Agent, type Dispatcher } from 'undici';
import { serverVersion } from '../../config/version.ts';
import type { AddressGuard } from '../../outbound/address-guard.ts';
import { withDeadline } from '../../outbound/deadline.ts';
import { guardedConnector, type NameResolver } from '../../outbound/guarded-connector.ts';
import { readRetryAfter } from '../../outbound/retry-after.ts';
import { FetchError, invalid, refused, unreachable } from './fetch-error.ts';
import { HostLimits } from './host-limits.ts';
import { readBody } from './response-body.ts';
import { type Lifetime, readLifetime } from './response-headers.ts';

export type WebFetcherOptions = {
  /** Maximum size of a document, before and after decompression. */
  maxBytes: number;
  /** Time limit of a document, with all redirects; the wait for a place among the requests to a host does not count. */
  timeoutMs: number;
  allowHttp: boolean;
  ports: readonly number[];
  /** Requests to one host at once. */
  hostConnections: number;
  guard: AddressGuard;
  resolve: NameResolver;
  content: Content;
};

/** What is looked for. */
export type Content = {
  /** The value of the header `Accept`. */
  accept: string;
  /** Why something of this type is not it; undefined if it may be. */
  problemOf: (type: string | undefined) => string | undefined;
};

type GatewayHeaders = Readonly<Record<string, string>>;

/** A URL to fetch. */
export type WebTarget = {
  url: string;
  /** Set for a gateway of the operator: its scheme and port are allowed, and these headers are sent to it. */
  gateway?: { headers: GatewayHeaders } | undefined;
};

export type WebDocument = Lifetime & { bytes: Buffer };

type Response = Dispatcher.ResponseData;

const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 16_384;
/** Longest time without a byte of the response. */
const SILENCE_MS = 10_000;
/** Longest wait for a place among the requests to the host of a stranger. */
const HOST_WAIT_MS = 2000;
const BUSY_RETRY_MS = 5000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Statuses below 500 that may be gone at the next try. */
const PASSING: ReadonlySet<number> = new Set([408, 425]);

const REQUEST_HEADERS = {
  'user-agent': serverVersion.replace(' v', '/'),
  'accept-encoding': 'gzip, br',
};

/** Fetches documents of strangers: only from public addresses, within limits of size and time. */
export class WebFetcher {
  readonly #options: WebFetcherOptions;
  readonly #agent: Agent;
  readonly #hosts: HostLimits;

  constructor(options: WebFetcherOptions) {
    this.#options = options;
    const silence = Math.min(SILENCE_MS, options.timeoutMs);
    this.#agent = new Agent({
      connect: guardedConnector(options.guard, options.resolve),
      connections: options.hostConnections,
      maxHeaderSize: MAX_HEADER_BYTES,
      maxResponseSize: options.maxBytes,
      headersTimeout: silence,
      bodyTimeout: silence,
    });
    this.#hosts = new HostLimits(options.hostConnections);
  }

  /** The document at a URL; throws a FetchError, or an error of the network. */
  async fetch({ url, gateway }: WebTarget, signal: AbortSignal): Promise<WebDocument> {
    const first = new URL(url);
    let target = first;
    let leftMs = this.#options.timeoutMs;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const trusted = target.origin === first.origin ? gateway : undefined;
      this.#check(target, trusted !== undefined);
      const leave = await this.#enter(target.hostname, trusted !== undefined);
      const began = performance.now();
      try {
        const found = await withDeadline(leftMs, signal, within => this.#request(target, trusted?.headers, within));
        if (!(found instanceof URL)) return found;
        target = found;
      } finally {
        leave();
        leftMs -= performance.now() - began;
      }
    }
    throw new FetchError({ code: 'too_many_redirects', message: `more than ${MAX_REDIRECTS} redirects` });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #check({ protocol, port, username, password }: URL, trusted: boolean): void {
    if (protocol !== 'https:' && protocol !== 'http:') throw refused('only https is fetched');
    if (username || password) throw refused('the URL has a user name or a password');
    if (trusted) return;
    if (protocol === 'http:' && !this.#options.allowHttp) throw refused('only https is fetched, not http');
    const number = port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
    if (!this.#options.ports.includes(number)) throw refused(`port ${number} is not allowed`);
  }

  /** Waits for a place among the requests to a host; longer for a gateway of the operator, which many tokens share. */
  async #enter(host: string, trusted: boolean): Promise<() => void> {
    const before = this.#hosts.asideMs(host);
    if (before > 0) throw leftAlone(before);
    const leave = await this.#hosts.enter(host, trusted ? this.#options.timeoutMs : HOST_WAIT_MS);
    if (!leave) throw busy();
    // The host may have asked for a pause in the meantime.
    const after = this.#hosts.asideMs(host);
    if (after === 0) return leave;
    leave();
    throw leftAlone(after);
  }

  /** A document, or the URL to which the host redirects. */
  async #request(target: URL, own: GatewayHeaders | undefined, signal: AbortSignal): Promise<WebDocument | URL> {
    const response = await this.#agent.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method: 'GET',
      headers: { ...REQUEST_HEADERS, accept: this.#options.content.accept, ...own },
      signal,
    });
    // A body that is not read to its end reports an error when it is destroyed.
    response.body.on('error', () => {});
    try {
      return await this.#read(response, target);
    } finally {
      response.body.destroy();
    }
  }

  async #read({ statusCode: status, headers, body }: Response, target: URL): Promise<WebDocument | URL> {
    if (REDIRECTS.has(status)) return nextUrl(headers.location, target);
    if (status !== 200 && status !== 203) throw this.#rejected(status, headers['retry-after'], target.hostname);
    const problem = this.#options.content.problemOf(textOf(headers['content-type']));
    if (problem !== undefined) throw invalid(problem);
    const bytes = await readBody(body, headers, this.#options.maxBytes);
    return { bytes, ...readLifetime(headers) };
  }

  #rejected(status: number, retryAfter: string | string[] | undefined, host: string): FetchError {
    const message = `the host responded with status ${status}`;
    if (status === 429 || (status === 503 && retryAfter !== undefined)) {
      const retryAfterMs = readRetryAfter(textOf(retryAfter));
      this.#hosts.setAside(host, retryAfterMs);
      return unreachable(message, { transient: true, retryAfterMs });
    }
    return unreachable(message, { transient: status >= 500 || PASSING.has(status) });
  }
}

/** A repeated header counts with its first value. */
const textOf = (value: string | string[] | undefined): string | undefined => [value].flat()[0];

function nextUrl(location: string | string[] | undefined, target: URL): URL {
  const text = textOf(location);
  if (text === undefined || !URL.canParse(text, target.href)) {
    throw unreachable('the host redirects without a valid URL');
  }
  return new URL(text, target);
}

const leftAlone = (retryAfterMs: number) =>
  unreachable('the host asked for a pause', { transient: true, retryAfterMs });

const busy = () =>
  unreachable('other requests to the host are still in progress', {
    transient: true,
    retryAfterMs: BUSY_RETRY_MS,
  });
