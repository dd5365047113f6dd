import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PublicError, sendRawResponse, statusOfParseError } from '../errors.ts';
import { type ListenAddress, listen } from '../listen.ts';
import { boundPipelines, type Handler } from './pipelines.ts';
import { watchReaders } from './slow-readers.ts';
import { offerTakeable } from './takeable-connections.ts';

export type ListenerOptions = ListenAddress & {
  /** Handles requests until `serve` is called. */
  first: Handler;
  /** How long a client may take to send its request, and how long it may read nothing of a response. */
  requestTimeoutMs?: number;
  /** Whether the first bytes of a connection begin a request that may take it from the HTTP server; default: none does. */
  mayTake?: (head: string) => boolean;
  /** Called with errors of accepting connections, such as too many open files. */
  onError?: (error: Error) => void;
};

/** A listening socket whose handler can change: it is open before the application is ready. */
export type HttpListener = {
  server: Server;
  port: number;
  serve(handler: Handler): void;
  /** Takes no new connections and waits for open requests, at most for `graceMs`. */
  stop(graceMs: number): Promise<void>;
};

const MAX_HEADER_BYTES = 16_384;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 72_000; // longer than the idle time of common load balancers

/** Listens at once; a port in use is reported as a mistake of the operator. */
export async function openListener(options: ListenerOptions): Promise<HttpListener> {
  let handler = options.first;
  const requestTimeout = options.requestTimeoutMs ?? 30_000;
  const headersTimeout = Math.min(HEADERS_TIMEOUT_MS, requestTimeout);
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout,
      requestTimeout,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 5000,
    },
    boundPipelines((request, response) => handler(request, response)),
  );
  server.on('clientError', respondToBrokenRequest);
  const { mayTake } = options;
  const onSilent = (socket: Socket) => sendError(socket, 408);
  const closeSilent = mayTake && offerTakeable(server, { mayTake, silentMs: headersTimeout, onSilent });
  await listen(server, options);
  // A connection that cannot be accepted is lost; the server goes on.
  server.on('error', error => options.onError?.(error));
  const unwatch = watchReaders(server, { stallMs: requestTimeout });
  const { port } = server.address() as AddressInfo; // A TCP server that listens has this form of address.
  return {
    server,
    port,
    serve(next) {
      handler = next;
    },
    async stop(graceMs) {
      const behind = handler;
      handler = (request, response) => {
        response.setHeader('connection', 'close');
        behind(request, response);
      };
      // Open requests did not get `Connection: close`: their connections end with their responses.
      server.keepAliveTimeout = 1;
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeIdleConnections();
      closeSilent?.();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
      unwatch();
    },
  };
}

/** Responds with 503 to everything but `/healthz`, while the database and the rest are starting. */
export function starting(progress: () => string): Handler {
  return (request, response) => {
    request.resume();
    const path = (request.url ?? '/').split('?', 1)[0];
    if (path === '/healthz') return sendJson(response, 200, { status: 'alive' });
    const reason = progress();
    response.setHeader('retry-after', '1');
    if (path === '/readyz') return sendJson(response, 503, { status: 'not ready', reason });
    const message = `Cairn is starting: ${reason}`;
    sendJson(response, 503, { statusCode: 503, error: 'Service Unavailable', message });
  };
}

/** Sends a small JSON body on a plain response. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(JSON.stringify(body));
}

/** A request that is not valid HTTP never reaches a handler; it still gets an error in our shape. */
function respondToBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  sendError(socket, statusOfParseError(error));
}

const sendError = (socket: Socket, status: number) =>
  sendRawResponse(socket, status, new PublicError(status, 'The request could not be read').body);
