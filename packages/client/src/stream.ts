import { ApiError, readError } from './api-error.ts';
import { EventParser } from './server-sent-events.ts';
import type { StreamEvent } from './stream-event.ts';

export type StreamTopic = 'blocks' | 'transactions' | 'mempool' | 'events' | 'transfers' | 'contract_logs' | 'sbtc';

/** What to receive. The names mean the same as in the URL of `/extended/v1/stream`. */
export type StreamSelection = {
  topics?: readonly StreamTopic[];
  /** Only what touches this account or contract. */
  principal?: string;
  contract?: string;
  /** `STX`, or `CONTRACT_ID::ASSET_NAME`. */
  asset?: string;
  function?: string;
  event_type?: readonly string[];
};

export type StreamOptions = StreamSelection & {
  /** Begins after this position. Without `after` and `fromHeight` the stream begins now. */
  after?: string;
  /** Begins with the block of this height. */
  fromHeight?: number;
  signal?: AbortSignal;
  /** Called before each new attempt, with what ended the connection. */
  onRetry?: (reason: unknown) => void;
  /** A connection on which nothing arrives for so long is given up. The service sends something every 15 seconds. */
  silenceMs?: number;
};

/** What a stream needs of a client. */
export type StreamSource = { readonly url: string; fetch(url: string, init?: RequestInit): Promise<Response> };

const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

/**
 * Yields what follows a position, in order, without gap or repeat. It connects again by itself, to whatever process answers, and
 * throws only what trying again cannot mend: an `ApiError` with status 400, 401, 403, 404, 409 or 410.
 */
export async function* stream(
  source: StreamSource,
  { signal, onRetry, silenceMs = SILENCE_MS, after, fromHeight, ...selection }: StreamOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  let position = after;
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal?.aborted) {
    try {
      // Without a position, what happens between two connections would be lost.
      if (position === undefined && fromHeight === undefined) position = await newest(source, signal);
      const url = urlOf(source, selection, position, fromHeight);
      for await (const event of connection(source, url, silenceMs, signal)) {
        pauseMs = FIRST_PAUSE_MS;
        position = event.id ?? position;
        if (event.data === undefined) continue;
        const message = JSON.parse(event.data) as StreamEvent | ({ type: 'error'; statusCode?: number } & object);
        if (message.type === 'error') throw new ApiError(message.statusCode ?? 500, message);
        yield message;
      }
      throw new Error('the service ended the connection');
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof ApiError && isFinal(error)) throw error;
      onRetry?.(error);
      const wanted = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
      // A random part keeps clients of a service that restarts from coming all at once.
      await pause(Math.max(wanted, pauseMs * (0.5 + Math.random())), signal);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  }
}

/** A server that is behind names its newest height: it will get there, or another one responds. */
const isFinal = (error: ApiError) =>
  error.status >= 400 &&
  error.status < 500 &&
  ![408, 429].includes(error.status) &&
  error.field('newest_height') === undefined;

async function newest(source: StreamSource, signal: AbortSignal | undefined): Promise<string> {
  const response = await source.fetch(`${source.url}/extended/v1/stream/tip`, signal ? { signal } : {});
  if (!response.ok) throw await readError(response);
  return ((await response.json()) as { position: string }).position;
}

function urlOf(
  source: StreamSource,
  selection: StreamSelection,
  after: string | undefined,
  fromHeight: number | undefined,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(selection)) if (value !== undefined) query.set(name, String(value));
  if (after !== undefined) query.set('after', after);
  else if (fromHeight !== undefined) query.set('from_height', String(fromHeight));
  return `${source.url}/extended/v1/stream?${query}`;
}

/** The events of one connection, until the service ends it or falls silent. */
async function* connection(
  source: StreamSource,
  url: string,
  silenceMs: number,
  signal: AbortSignal | undefined,
): ReturnType<typeof readEvents> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    const silence = () => controller.abort(new Error(`nothing arrived for ${silenceMs / 1000} seconds`));
    // A read of a response that has ended does not always end with the abort.
    const watched = <T>(work: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(silence, silenceMs);
        const end = () => {
          clearTimeout(timer);
          reject(controller.signal.reason);
        };
        controller.signal.addEventListener('abort', end);
        if (controller.signal.aborted) end();
        void work.then(resolve, reject).finally(() => {
          clearTimeout(timer);
          controller.signal.removeEventListener('abort', end);
        });
      });
    const init = { headers: { accept: 'text/event-stream' }, cache: 'no-store', signal: controller.signal } as const;
    const response = await watched(source.fetch(url, init));
    if (!response.ok) throw await readError(response);
    yield* readEvents(response, watched);
  } finally {
    signal?.removeEventListener('abort', abort);
    controller.abort();
  }
}

/** Only waiting for the service counts as silence, not the time that the reader takes. */
async function* readEvents(response: Response, watched: <T>(work: Promise<T>) => Promise<T>) {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  for (;;) {
    const { value, done } = await watched(reader.read());
    if (done) return;
    yield* parser.push(decoder.decode(value, { stream: true }));
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>(resolve => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
