import { setTimeout as sleep } from 'node:timers/promises';

/** The response of an API: parsed JSON if it is JSON, else text. */
export type ApiResponse = { status: number; body: unknown };

/** An API that did not respond after all retries. */
export class ApiFailure extends Error {
  override name = 'ApiFailure';
}

export type ApiClientOptions = {
  /** Without a trailing slash. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Time limit of one attempt. */
  timeoutMs: number;
  signal?: AbortSignal;
};

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const ATTEMPTS = 4;
/** A rate limit is not a failure: it is waited out for longer. */
const LIMITED_ATTEMPTS = 30;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 10_000;
const MAX_RETRY_AFTER_MS = 120_000;
/** Statuses of an API, or of a proxy in front of it, that is temporarily unavailable. */
export const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** A client of one API that observes rate limits and retries failed requests. */
export class ApiClient {
  readonly url: string;
  readonly #options: ApiClientOptions;
  /** Time until which all requests wait; a rate limit applies to all of them. */
  #limitedUntil = 0;

  constructor(options: ApiClientOptions) {
    this.url = options.url;
    this.#options = options;
  }

  /** The response to a GET; a status of `AWAY` only after all retries. Throws an ApiFailure if there is no response. */
  async get(path: string): Promise<ApiResponse> {
    let last: Attempt = { failure: '' };
    for (let failed = 0, limited = 0; failed < ATTEMPTS && limited < LIMITED_ATTEMPTS; ) {
      await this.#wait(this.#limitedUntil - Date.now());
      last = await this.#attempt(path);
      if (!('failure' in last)) return last.response;
      if (last.final) break;
      const backoff = Math.min(FIRST_WAIT_MS * 2 ** (failed + limited), MAX_WAIT_MS);
      if (last.limited) {
        limited++;
        this.#limitedUntil = Math.max(this.#limitedUntil, Date.now() + (last.retryAfterMs ?? backoff));
      } else {
        failed++;
        if (failed < ATTEMPTS) await this.#wait(last.retryAfterMs ?? backoff);
      }
    }
    if (last.response) return last.response;
    throw new ApiFailure(`${this.url}${path}: ${'failure' in last ? last.failure : ''}`);
  }

  async #attempt(path: string): Promise<Attempt> {
    const { headers, timeoutMs, signal } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const fetched = await fetch(this.url + path, {
        headers: { accept: 'application/json', ...headers },
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      const { status } = fetched;
      const text = await readText(fetched);
      if (text === undefined) return { failure: `the response is larger than ${MAX_BODY_BYTES} bytes`, final: true };
      const response = { status, body: parseBody(text) };
      const failure = `status ${status}`;
      const retryAfterMs = readRetryAfter(fetched.headers.get('retry-after'), Date.now());
      if (status === 429) return { failure, limited: true, retryAfterMs };
      return AWAY.has(status) ? { failure, response, retryAfterMs } : { response };
    } catch (error) {
      if (signal?.aborted) throw error;
      return { failure: timeout.aborted ? `no response within ${timeoutMs / 1000} s` : reasonOf(error) };
    }
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#options;
    if (ms > 0) await sleep(ms, undefined, signal && { signal });
  }
}

type Attempt =
  | { response: ApiResponse }
  | { failure: string; response?: ApiResponse; final?: boolean; limited?: boolean; retryAfterMs?: number | undefined };

/** Milliseconds of a `Retry-After` header, given in seconds or as a date; undefined without one. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

async function readText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (bytes > MAX_BODY_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The innermost cause: `fetch failed` alone does not help. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  return cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : message;
}
