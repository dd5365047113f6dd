// Uses node:http only: nothing between the socket and the log buffers, parses or times out on its own, and
// a body can be left unread in the kernel until the budget has bytes for it.
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { addressSet, plainAddress } from '../../config/address-set.ts';
import { sendRawResponse, statusOfParseError } from '../../errors.ts';
import { listen } from '../../listen.ts';
import type { NewEvent } from '../log/event-log.ts';
import { knownPaths } from '../log/event-names.ts';
import { chunksPath } from '../signers/signer-event.ts';
import { ByteBudget } from './byte-budget.ts';
import { type BodyLimits, discardBody, RejectedRequest, readBody, readWhole } from './event-body.ts';
import { SignerBuffer } from './signer-buffer.ts';
import { MAX_CHUNKS_BYTES, reduceChunks } from './signer-chunks.ts';

/** How a post ended. */
export type PostOutcome = 'stored' | 'discarded' | 'unavailable' | 'refused';

export type ObserverOptions = {
  log: { append(event: NewEvent): Promise<bigint> };
  host: string;
  port: number;
  /** Addresses and networks that may post; all by default. */
  allow?: readonly string[];
  /** Largest body in bytes. */
  bodyLimit?: number;
  /** Also store events that are frequent and not needed by the index. */
  keepAll?: boolean;
  /** Bytes of small bodies in memory at once. */
  memoryBudget?: number;
  /** How long a body may make no progress before its connection is closed. */
  stallMs?: number;
  logger?: Logger;
  /** Called with each post, for metrics. */
  onPost?: (post: ObservedPost) => void;
};

/** A post and the status of its response; `path` is a known one or `other`. */
export type ObservedPost = {
  path: string;
  bytes: number;
  durationMs: number;
  outcome: PostOutcome;
  /** Chunks of miners and signers that were unknown or could not be decoded. */
  skippedChunks?: number;
};

/** What the observer needs of a logger. */
export type Logger = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;

export type Observer = {
  port: number;
  /** Answers events with 503 and this reason, so that nodes repeat them; with undefined they are accepted again. */
  suspend(reason: string | undefined): void;
  /** Takes no new posts, finishes those in hand for at most `graceMs`, then closes every connection. */
  stop(graceMs?: number): Promise<void>;
};

/** Of interest to the sender only; counted and dropped unless `keepAll` is set. */
const discarded: ReadonlySet<string> = new Set([
  '/proposal_response',
  '/mined_block',
  '/mined_microblock',
  '/mined_nakamoto_block',
]);

const MAX_PATH = 200;
const MAX_CONNECTIONS = 512;
/** Of those, connections of addresses that may not post; the rest is for nodes. */
const MAX_STRANGERS = 16;

/** Listens for the events of nodes and responds to each when the log has it on disk. */
export async function startObserver(options: ObserverOptions): Promise<Observer> {
  const posts = new PostHandler(options);
  const open = new Set<ServerResponse>();
  /** Connections of addresses that may not post. */
  const strangers = new Set<Socket>();
  const isAllowed = options.allow ? addressSet(options.allow) : () => true;
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 15 * 60_000, keepAliveTimeout: 60_000 },
    (request, response) => {
      open.add(response);
      response.once('close', () => open.delete(response));
      void route(posts, request, response, !strangers.has(request.socket));
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', (socket: Socket) => {
    if (isAllowed(plainAddress(socket.remoteAddress ?? ''))) return;
    if (strangers.size >= MAX_STRANGERS) return void socket.destroy();
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
  });
  server.on('clientError', respondToBrokenRequest);

  await listen(server, { host: options.host, port: options.port, portSetting: 'CAIRN_OBSERVER_PORT' });
  server.on('error', error => options.logger?.error({ err: error }, 'a connection could not be accepted'));
  const { port } = server.address() as AddressInfo; // A TCP server that listens has this form of address.
  return {
    port,
    suspend(reason) {
      posts.suspended = reason;
    },
    async stop(graceMs = 10_000) {
      for (const response of open) response.shouldKeepAlive = false;
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
      await posts.stop();
    },
  };
}

function route(
  posts: PostHandler,
  request: IncomingMessage,
  response: ServerResponse,
  isAllowed: boolean,
): Promise<void> | void {
  const path = pathOf(request.url ?? '/');
  if (!isAllowed) {
    const address = plainAddress(request.socket.remoteAddress ?? '');
    return posts.refuse(
      path,
      request,
      response,
      `${address} may not send events: CAIRN_OBSERVER_ALLOW does not name it`,
    );
  }
  // A node sends none; a browser that was lured into posting here does.
  if (request.headers.origin !== undefined) {
    return posts.refuse(path, request, response, 'requests of web pages (with an Origin header) are not taken');
  }
  if (request.method === 'POST') return posts.handle(path, request, response);
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD, POST');
    return respond(response, 405, { error: `${request.method} is not used here: events are sent by POST` });
  }
  if (path === '/') return respond(response, 200, { status: 'ready', service: 'cairn event observer' });
  return respond(response, 404, {
    error: `nothing is served at ${path.slice(0, MAX_PATH)}: this port takes node events`,
  });
}

class PostHandler {
  readonly #options: ObserverOptions;
  readonly #limits: BodyLimits;
  readonly #signers: SignerBuffer;
  /** Why no events are accepted; undefined while they are. */
  suspended: string | undefined;

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#signers = new SignerBuffer(options.log, error =>
      options.logger?.error({ err: error }, 'messages of signers could not be stored; they are tried again'),
    );
    this.#limits = {
      bodyLimit: options.bodyLimit ?? 500 << 20,
      stallMs: options.stallMs ?? 30_000,
      smallBodies: new ByteBudget(options.memoryBudget ?? 64 << 20),
      largeBodies: new ByteBudget(1),
    };
  }

  /** Appends what is still buffered. */
  async stop(): Promise<void> {
    await this.#signers.stop();
  }

  /** Responds with 403 without reading the body. */
  refuse(path: string, request: IncomingMessage, response: ServerResponse, message: string): void {
    const outcome = this.#respondWithFailure(new RejectedRequest(403, message), path, request, response);
    this.#options.onPost?.({ path: knownPaths.has(path) ? path : 'other', bytes: 0, durationMs: 0, outcome });
  }

  async handle(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    // The only clock that tells when a message of a signer was sent.
    const arrived = new Date();
    let bytes = 0;
    let skippedChunks = 0;
    const done = (outcome: PostOutcome) =>
      this.#options.onPost?.({
        path: knownPaths.has(path) ? path : 'other',
        bytes,
        durationMs: performance.now() - started,
        outcome,
        ...(skippedChunks > 0 && { skippedChunks }),
      });
    try {
      if (path.length > MAX_PATH) throw new RejectedRequest(414, `the path is longer than ${MAX_PATH} characters`);
      if (discarded.has(path) && !this.#options.keepAll) {
        bytes = await discardBody(request, this.#limits);
        respond(response, 200, { result: 'ok' });
        return done('discarded');
      }
      if (this.suspended !== undefined) {
        this.#respondUnavailable(this.suspended, request, response);
        return done('unavailable');
      }
      if (path === chunksPath && !this.#options.keepAll) {
        const body = await readWhole(request, this.#limits, MAX_CHUNKS_BYTES);
        bytes = body.size;
        let stored = false;
        try {
          const { records, skipped } = reduceChunks(body.content);
          skippedChunks = skipped;
          stored = records !== undefined;
          if (records) await this.#signers.add(records, arrived, sourceOf(request.socket));
        } finally {
          body.release();
        }
        respond(response, 200, { result: 'ok' });
        return done(stored ? 'stored' : 'discarded');
      }
      const body = await readBody(request, this.#limits);
      try {
        bytes = body.size;
        const at = path === chunksPath ? arrived : new Date();
        await this.#options.log.append({ path, source: sourceOf(request.socket), at, body: body.content });
      } finally {
        body.release();
      }
      respond(response, 200, { result: 'ok' });
      done('stored');
    } catch (error) {
      done(this.#respondWithFailure(error, path, request, response));
    }
  }

  /** Responds with 503 without reading the body: the node repeats the event. */
  #respondUnavailable(reason: string, request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('Retry-After', '1');
    response.setHeader('Connection', 'close');
    respond(response, 503, { error: `${reason}; please repeat the event` });
    drainBriefly(request);
  }

  #respondWithFailure(error: unknown, path: string, request: IncomingMessage, response: ServerResponse): PostOutcome {
    const source = sourceOf(request.socket);
    if (error instanceof RejectedRequest) {
      this.#options.logger?.warn({ path, source, status: error.status }, `rejected an event: ${error.message}`);
      // The rest of the body is not read: the connection cannot be used again.
      response.setHeader('Connection', 'close');
      respond(response, error.status, { error: error.message });
      drainBriefly(request);
      return 'refused';
    }
    this.#options.logger?.error({ path, source, err: error }, 'an event could not be stored; the node will repeat it');
    response.setHeader('Retry-After', '1');
    respond(response, 503, { error: 'the event could not be stored, please repeat it' });
    return 'unavailable';
  }
}

/** No event has a query, so it is dropped; slashes are made single and the last one is taken off. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2);
  if (start < 0) return '/';
  const path = url
    .slice(start)
    .replace(/[?#].*$/s, '')
    .replace(/\/{2,}/g, '/');
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function sourceOf(socket: Socket): string {
  return `node ${plainAddress(socket.remoteAddress ?? 'gone')}`;
}

function respond(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

/** Lets a sender read the response: closing a socket with unread bytes would reset it. */
function drainBriefly(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), 2_000);
  request.on('error', () => {}).once('close', () => clearTimeout(timer));
  request.resume();
}

/** Responds to bytes that are not HTTP, or to a body that ended early. */
function respondToBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = statusOfParseError(error);
  sendRawResponse(socket, status, { error: `the request was broken: ${STATUS_CODES[status]?.toLowerCase()}` });
}
