import { setMaxListeners } from 'node:events';
import { ByteBoundedCache } from '../../cache/byte-bounded-cache.ts';
import { decodeDataUri } from '../../chain/tokens/data-uri.ts';
import { type DocumentProblem, readJsonDocument } from '../../chain/tokens/json-document.ts';
import { type Gateways, locateToken, type TokenLocation } from '../../chain/tokens/token-uri.ts';
import type { FetchFailure } from '../metadata-source.ts';
import { FetchError, failureOf, invalid, unreachable } from './fetch-error.ts';
import { tooLarge } from './response-body.ts';
import { contentProblem } from './response-headers.ts';
import type { WebDocument, WebFetcher, WebTarget } from './web-fetcher.ts';

/** A parsed document; `size` is the length of its text. */
export type JsonDocument = { json: unknown; size: number; freshMs: number | undefined };

export type DocumentSourceOptions = {
  gateways: Gateways;
  /** Sent to the gateway of IPFS only. */
  gatewayHeaders: Readonly<Record<string, string>>;
  maxBytes: number;
  cacheBytes: number;
  /** Without it only `data:` URIs are read. */
  web: WebFetcher | undefined;
};

type Outcome = { document: WebDocument } | { failure: FetchFailure };

const NOT_FETCHED = 'the document is not fetched: CAIRN_METADATA=chain reads contracts and data: URIs only';

/** Tokens of one collection may share a document: within this time it is fetched once, and a failure is not repeated. */
const REUSE_MS = 60_000;

/** Reads the documents that URIs name. */
export class DocumentSource {
  readonly #options: DocumentSourceOptions;
  readonly #cache: ByteBoundedCache<Outcome & { until: number }>;
  readonly #inFlight = new Map<string, Promise<Outcome>>();
  readonly #closed = new AbortController();

  constructor(options: DocumentSourceOptions) {
    this.#options = options;
    this.#cache = new ByteBoundedCache(options.cacheBytes);
    // Each request in flight listens to it.
    setMaxListeners(0, this.#closed.signal);
  }

  /** The JSON at a URI; throws a FetchError, or an error of the network. */
  async read(uri: string, signal: AbortSignal): Promise<JsonDocument> {
    const location = locateToken(uri, this.#options.gateways);
    if (location.kind === 'refused') throw new FetchError({ code: location.code, message: location.reason });
    if (location.kind === 'data') return this.#readData(location.uri);
    const { bytes, freshMs } = await this.#fetch(location, signal);
    const text = utf8(bytes);
    return { json: jsonIn(readText(text)), size: bytes.length, freshMs };
  }

  close(): void {
    this.#closed.abort();
  }

  #readData(uri: string): JsonDocument {
    const { maxBytes } = this.#options;
    const decoded = decodeDataUri(uri, maxBytes);
    if (decoded === 'too large') throw tooLarge(maxBytes);
    if (typeof decoded === 'string') throw invalid(decoded);
    const problem = contentProblem(decoded.type);
    if (problem !== undefined) throw invalid(problem);
    const size = decoded.bytes.length;
    const read = readText(utf8(decoded.bytes));
    if ('value' in read) return { json: read.value, size, freshMs: undefined };
    // Some contracts write plain JSON with percent signs in it.
    const literal = decodeDataUri(uri, maxBytes, true);
    const again = typeof literal === 'string' ? read : readText(utf8(literal.bytes));
    return { json: jsonIn('value' in again ? again : read), size, freshMs: undefined };
  }

  async #fetch(location: Extract<TokenLocation, { kind: 'web' }>, signal: AbortSignal): Promise<WebDocument> {
    const { web, gatewayHeaders } = this.#options;
    if (!web) throw unreachable(NOT_FETCHED);
    const { url, gateway } = location;
    const target = { url, gateway: gateway && { headers: gateway === 'ipfs' ? gatewayHeaders : {} } };
    // The same URL has other rules when a contract names it by itself.
    const key = `${gateway ?? ''} ${url}`;
    const cached = this.#cache.get('', key);
    const fresh = cached && cached.until > Date.now() ? cached : undefined;
    const outcome = fresh ?? (await abortable(this.#share(key, web, target), signal));
    if ('failure' in outcome) throw new FetchError(outcome.failure);
    return outcome.document;
  }

  /** Equal requests in flight share one; it goes on when one of its callers has left. */
  #share(key: string, web: WebFetcher, target: WebTarget): Promise<Outcome> {
    const running = this.#inFlight.get(key);
    if (running) return running;
    const work = this.#request(key, web, target).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, work);
    return work;
  }

  async #request(key: string, web: WebFetcher, target: WebTarget): Promise<Outcome> {
    try {
      const document = await web.fetch(target, this.#closed.signal);
      if (document.storable) this.#store(key, { document }, REUSE_MS, document.bytes.length);
      return { document };
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code !== 'unknown') this.#store(key, { failure }, failure.retryAfterMs ?? REUSE_MS, 0);
      return { failure };
    }
  }

  #store(key: string, outcome: Outcome, ms: number, bytes: number): void {
    this.#cache.set('', key, { ...outcome, until: Date.now() + Math.min(ms, REUSE_MS) }, bytes);
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

const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalid('the document is not UTF-8');
  }
}

/** A page may be sent with the type of JSON. */
const readText = (text: string) =>
  /^\s*</.test(text) ? { problem: 'the URI leads to a web page' } : readJsonDocument(text);

function jsonIn(read: { value: unknown } | DocumentProblem): unknown {
  if ('problem' in read) throw invalid(read.problem);
  return read.value;
}
