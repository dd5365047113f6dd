import { Cancellation } from '../db/pool/cancellation.ts';
import { ByteBoundedCache, textBytes } from './byte-bounded-cache.ts';

/** A rendered response, valid as long as its freshness class has the journal number `version`. */
export type CachedResponse = {
  version: number;
  /** A buffer from the second use on: a string that is sent once leaves no buffer for the garbage collector. */
  body: string | Buffer;
  /** Bytes of the body. */
  length: number;
  etag: string | undefined;
  /** Names and values alternating, as `writeHead` takes them. */
  headers: string[];
};

/** Bytes that the headers of a response take. */
const HEADERS = 768;

const sizeOf = ({ body, length }: CachedResponse) => (typeof body === 'string' ? textBytes(body, length) : length);

/** A request that is being rendered, and the equal ones that wait for its response. */
export class SharedRequest {
  readonly key: string;
  readonly version: number;
  /** Ends its statements when all clients have left. */
  readonly cancellation = new Cancellation();
  #clients = 1;
  #over = false;
  /**
   * Absent until an equal request waits, and when the request is over: the old tables of a Map that has grown hold their
   * entries, so that each response would live until the next full garbage collection.
   */
  #waiting: { promise: Promise<CachedResponse | undefined>; resolve: Resolve; reject: Reject } | undefined;

  constructor(key: string, version: number) {
    this.key = key;
    this.version = version;
  }

  /** The response, for one more client; undefined if it is not stored. */
  join(): Promise<CachedResponse | undefined> {
    this.#clients++;
    this.#waiting ??= deferred();
    return this.#waiting.promise;
  }

  /** A client has left; true if none is left. */
  leave(): boolean {
    return --this.#clients === 0;
  }

  finish(response: CachedResponse | undefined): void {
    if (!this.#over) this.#waiting?.resolve(response);
    this.#end();
  }

  fail(error: unknown): void {
    if (!this.#over) this.#waiting?.reject(error);
    this.#end();
  }

  #end(): void {
    this.#over = true;
    this.#waiting = undefined;
  }
}

type Resolve = (response: CachedResponse | undefined) => void;
type Reject = (error: unknown) => void;

function deferred() {
  let resolve!: Resolve;
  let reject!: Reject;
  const promise = new Promise<CachedResponse | undefined>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, resolve, reject };
}

const NAMESPACE = 'responses';

/**
 * Rendered responses by URL, within a bound of bytes.
 *
 * Equal requests that arrive while one is being rendered share its response.
 */
export class ResponseCache {
  readonly #responses: ByteBoundedCache<CachedResponse>;
  readonly #requests = new Map<string, SharedRequest>();
  hits = 0;
  misses = 0;

  constructor(maxBytes: number) {
    this.#responses = new ByteBoundedCache(maxBytes);
  }

  get bytes(): number {
    return this.#responses.bytes;
  }

  /** The response of this URL, if it has this version. */
  get(url: string, version: number): CachedResponse | undefined {
    const response = this.#responses.get(NAMESPACE, url);
    if (response?.version !== version) return undefined;
    if (typeof response.body === 'string') response.body = Buffer.from(response.body);
    this.hits++;
    return response;
  }

  /** Drops all responses. */
  clear(): void {
    this.#responses.clear();
  }

  /** The equal request that is being rendered for this version. */
  inProgress(url: string, version: number): SharedRequest | undefined {
    const request = this.#requests.get(url);
    return request?.version === version ? request : undefined;
  }

  /** From now on equal requests may wait for the response of this one, until it ends. */
  begin(url: string, version: number): SharedRequest {
    this.misses++;
    const request = new SharedRequest(url, version);
    this.#requests.set(url, request);
    return request;
  }

  /** The request has its response, which is stored; or none that can be stored. */
  end(request: SharedRequest, response?: CachedResponse): void {
    this.#forget(request);
    if (response) this.#responses.set(NAMESPACE, request.key, response, sizeOf(response) + HEADERS);
    request.finish(response);
  }

  /** A client of the request has left. Without any, its statements are cancelled. */
  leave(request: SharedRequest): void {
    if (!request.leave()) return;
    // A later client must not fail with the cancelled request.
    this.#forget(request);
    request.cancellation.cancel();
  }

  #forget(request: SharedRequest): void {
    if (this.#requests.get(request.key) === request) this.#requests.delete(request.key);
  }
}
