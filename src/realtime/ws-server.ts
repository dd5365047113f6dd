import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { answerBare } from '../bare-answer.ts';
import { PublicError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Subscriptions } from './subscriptions.ts';
import { type ClientLimits, type Ending, WsClient } from './ws-client.ts';

export type WsLimits = ClientLimits & {
  maxConnections: number;
  /** Largest message of a client in bytes. */
  maxMessage: number;
  pingMs: number;
  /** How long a connection without subscriptions may say nothing. */
  idleMs: number;
};

export type WsOptions = {
  server: Server;
  subscriptions: Subscriptions;
  limits: WsLimits;
  log: Log;
  onEnding?: (why: Ending) => void;
};

const PATH = '/extended/v1/ws';
/** Paths of others that upgrade connections on the same port. */
const FOREIGN = '/socket.io';

/** The JSON-RPC WebSocket: opens connections, looks after them, ends them. */
export class WsServer {
  readonly #options: WsOptions;
  readonly #clients = new Set<WsClient>();
  readonly #wss: WebSocketServer;
  readonly #sweep: NodeJS.Timeout;
  readonly #upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => this.#open(request, socket, head);

  constructor(options: WsOptions) {
    this.#options = options;
    this.#wss = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: options.limits.maxMessage,
      // No context outlives a message: a frame is compressed once for all, and an idle connection keeps no window.
      perMessageDeflate: { serverNoContextTakeover: true, clientNoContextTakeover: true, concurrencyLimit: 4 },
    });
    options.server.on('upgrade', this.#upgrade);
    this.#sweep = setInterval(() => this.#lookAfter(), options.limits.pingMs);
    this.#sweep.unref();
  }

  get connections(): number {
    return this.#clients.size;
  }

  /** Takes no more connections and tells those there are that the service stops; resolves when all have ended. */
  async stop(graceMs: number): Promise<void> {
    this.#options.server.off('upgrade', this.#upgrade);
    clearInterval(this.#sweep);
    for (const client of this.#clients) client.close('stopping');
    for (const end = Date.now() + graceMs; this.#clients.size > 0 && Date.now() < end; ) {
      await new Promise(resolve => setTimeout(resolve, 10));
    }
    for (const client of this.#clients) client.drop('failed');
  }

  #open(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = (request.url ?? '/').split('?', 1)[0]!.replace(/\/+$/, '');
    if (path.startsWith(FOREIGN)) return;
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      readAgain(this.#options.server, request, socket, head);
      return;
    }
    // An error before the handshake ends has no other listener.
    socket.on('error', () => socket.destroy());
    if (path !== PATH) refuse(socket, 404, `there is no WebSocket at ${path}`);
    else if (this.#clients.size >= this.#options.limits.maxConnections) {
      refuse(socket, 503, 'too many connections: try again later');
    } else this.#wss.handleUpgrade(request, socket, head, ws => this.#welcome(ws, request, socket));
  }

  #welcome(ws: WebSocket, request: IncomingMessage, socket: Duplex): void {
    const { limits, subscriptions, onEnding } = this.#options;
    const client = new WsClient({
      ws,
      socket,
      // A smaller window than the one frames are compressed with would not hold them.
      deflate: ws.extensions.includes('permessage-deflate') && !/server_max_window_bits/.test(offer(request)),
      limits,
      subscriptions,
      onEnding: why => onEnding?.(why),
    });
    this.#clients.add(client);
    ws.on('message', (data: RawData) => client.hear(bytesOf(data)));
    ws.on('pong', () => {
      client.alive = true;
    });
    // What is wrong with a frame the library tells the client itself, with the code of the specification.
    ws.on('error', error => this.#options.log.debug({ err: error }, 'a WebSocket connection failed'));
    ws.on('close', () => {
      client.forget();
      this.#clients.delete(client);
    });
  }

  /** Ends connections whose other side is gone or has nothing to do here, and asks the rest whether they are there. */
  #lookAfter(): void {
    const idleSince = Date.now() - this.#options.limits.idleMs;
    for (const client of this.#clients) {
      if (!client.alive) client.drop('silent');
      else if (client.subscribed === 0 && client.heardAt < idleSince) client.close('idle');
      else client.ping();
    }
  }
}

const offer = (request: IncomingMessage) => request.headers['sec-websocket-extensions'] ?? '';

const bytesOf = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);

/** Headers that ask for another protocol, and what they bring along. */
const OFFERS: ReadonlySet<string> = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Hands a request back to the HTTP server without its offer to change to a protocol that nobody speaks here: clients that
 * offer HTTP/2 with every request (that of Java does) are to be answered like all others.
 */
function readAgain(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!OFFERS.has(rawHeaders[i]!.toLowerCase())) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

const refuse = (socket: Duplex, status: number, message: string) =>
  answerBare(socket, status, new PublicError(status, message).body);
