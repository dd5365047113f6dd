import { setMaxListeners } from 'node:events';
import { ByteBoundedCache } from '../../cache/byte-bounded-cache.ts';
import type { TokenLocation } from '../../chain/tokens/token-uri.ts';
import type { FetchFailure } from '../metadata-source.ts';
import { FetchError, failureOf } from './fetch-error.ts';
import type { WebDocument, WebFetcher, WebTarget } from './web-fetcher.ts';

export type WebDocumentsOptions = {
  web: WebFetcher;
  /** Sent to the gateway of IPFS only. */
  gatewayHeaders: Readonly<Record<string, string>>;
  cacheBytes: number;
  /** Within this time a document is fetched once. */
  reuseMs: number;
};

type Outcome = { document: WebDocument } | { failure: FetchFailure };

/** A failure is not repeated within this time. */
const FAILURE_MS = 60_000;

/** Fetches documents; equal requests share one, and what was fetched a moment ago is kept. */
export class WebDocuments {
  readonly #options: WebDocumentsOptions;
  readonly #cache: ByteBoundedCache<Outcome & { until: number }>;
  readonly #inFlight = new Map<string, Promise<Outcome>>();
  readonly #closed = new AbortController();

  constructor(options: WebDocumentsOptions) {
    this.#options = options;
    this.#cache = new ByteBoundedCache(options.cacheBytes);
    // Each request in flight listens to it.
    setMaxListeners(0, this.#closed.signal);
  }

  /** Throws a FetchError, or an error of the network. */
  async read(location: Extract<TokenLocation, { kind: 'web' }>, signal: AbortSignal): Promise<WebDocument> {
    const { url, gateway } = location;
    const { gatewayHeaders } = this.#options;
    const target = { url, gateway: gateway && { headers: gateway === 'ipfs' ? gatewayHeaders : {} } };
    // The same URL has other rules when a contract names it by itself.
    const key = `${gateway ?? ''} ${url}`;
    const cached = this.#cache.get('', key);
    const fresh = cached && cached.until > Date.now() ? cached : undefined;
    const outcome = fresh ?? (await abortable(this.#share(key, target), signal));
    if ('failure' in outcome) throw new FetchError(outcome.failure);
    return outcome.document;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#options.web.close();
  }

  /** Equal requests in flight share one; it goes on when one of its callers has left. */
  #share(key: string, target: WebTarget): Promise<Outcome> {
    const running = this.#inFlight.get(key);
    if (running) return running;
    const work = this.#request(key, target).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, work);
    return work;
  }

  async #request(key: string, target: WebTarget): Promise<Outcome> {
    const { web, reuseMs } = this.#options;
    try {
      const document = await web.fetch(target, this.#closed.signal);
      if (document.storable) this.#store(key, { document }, reuseMs, document.bytes.length);
      return { document };
    } catch (error) {
      const failure = failureOf(error);
      const pauseMs = Math.min(failure.retryAfterMs ?? FAILURE_MS, FAILURE_MS);
      if (failure.code !== 'unknown') this.#store(key, { failure }, pauseMs, 0);
      return { failure };
    }
  }

  #store(key: string, outcome: Outcome, ms: number, bytes: number): void {
    this.#cache.set('', key, { ...outcome, until: Date.now() + ms }, bytes);
  }
}

/** Rejects when the signal is aborted; the work goes on. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
