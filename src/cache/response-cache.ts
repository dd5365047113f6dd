import { Cancellation } from '../db/pool/cancellation.ts';
import { ByteBoundedCache, textBytes } from './byte-bounded-cache.ts';

/** A client that waits for a response. */
export type Client = {
  /** Calls back when the connection of the client ends before the response was written. */
  onGone(callback: () => void): void;
};

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

/**
 * A request that is being rendered. `response` is cleared when it is done: the old tables of a Map that has grown
 * hold their entries, so that each response would live until the next full garbage collection.
 */
type SharedRequest = {
  response: Promise<CachedResponse | undefined> | undefined;
  /** How many clients wait for it. */
  clients: number;
  cancellation: Cancellation;
};

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

  /**
   * Renders and caches a response, or waits for the equal one that is being rendered; `render` may decline with undefined.
   * When all waiting clients are gone, the request is cancelled.
   */
  async share(
    url: string,
    version: number,
    render: (cancellation: Cancellation) => Promise<CachedResponse | undefined>,
    client?: Client,
  ): Promise<CachedResponse | undefined> {
    const key = `${version} ${url}`;
    const other = this.#requests.get(key);
    if (other) {
      this.#follow(key, other, client);
      return other.response;
    }
    this.misses++;
    const request: SharedRequest = { response: undefined, clients: 0, cancellation: new Cancellation() };
    request.response = render(request.cancellation).then(response => {
      if (response) this.#responses.set(NAMESPACE, url, response, sizeOf(response) + HEADERS);
      return response;
    });
    this.#requests.set(key, request);
    this.#follow(key, request, client);
    try {
      return await request.response;
    } finally {
      this.#leave(key, request);
      request.response = undefined;
    }
  }

  #follow(key: string, request: SharedRequest, client: Client | undefined): void {
    request.clients++;
    client?.onGone(() => {
      if (--request.clients > 0) return;
      // A later client must not fail with the cancelled request.
      this.#leave(key, request);
      request.cancellation.cancel();
    });
  }

  #leave(key: string, request: SharedRequest): void {
    if (this.#requests.get(key) === request) this.#requests.delete(key);
  }
}
