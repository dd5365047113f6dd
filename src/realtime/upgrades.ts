import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { PublicError, sendRawResponse } from '../errors.ts';

/** A protocol to which connections of the server can be upgraded. */
export type Upgradable = {
  /** True if a URL belongs to it. */
  owns(url: string): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Handles plain requests below its URL, if it has any. */
  respond?(request: IncomingMessage, response: ServerResponse): void;
};

/** Takes units from the rate limit of the client; returns the seconds to wait if none are left. */
export type Refusal = (request: IncomingMessage, units?: number) => number | undefined;

/** The reason to reject a request because of its API key, with the challenge; `upgraded` ends if the key is revoked. */
export type Denies = (request: IncomingMessage, upgraded?: Duplex) => { message: string; header: string } | undefined;

/** Bytes of a message that one unit of the rate limit pays for. */
const BYTES_PER_UNIT = 4096;

/** Units that a message of so many bytes costs its client. */
export const unitsOf = (bytes: number): number => 1 + Math.floor(bytes / BYTES_PER_UNIT);

export type UpgradeOptions = {
  server: Server;
  protocols: readonly Upgradable[];
  refusal: Refusal;
  denial?: Denies | undefined;
  /** Called with an error of a protocol. */
  onFailure: (error: unknown) => void;
};

/**
 * Handles every upgrade request of a server: it goes to exactly one protocol, is rejected and closed, or goes back to the
 * server as a plain request. Each connection always has an error handler.
 */
export function ownUpgrades(options: UpgradeOptions): () => void {
  const { server, protocols, refusal, denial = () => undefined, onFailure } = options;
  const others = server.listeners('request');
  server.removeAllListeners('request');

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const protocol = protocols.find(({ respond, owns }) => respond && owns(request.url ?? '/'));
    if (!protocol?.respond) {
      for (const other of others) other.call(server, request, response);
      return;
    }
    const denied = request.method === 'OPTIONS' ? undefined : denial(request);
    if (denied) return rejectKey(request, response, denied);
    const seconds = refusal(request);
    if (seconds !== undefined) return rejectTooMany(request, response, seconds);
    try {
      protocol.respond(request, response);
    } catch (error) {
      onFailure(error);
      response.destroy();
    }
  };

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // An error without a listener ends the process; this one listens until a protocol does.
    const onError = () => socket.destroy();
    socket.on('error', onError);
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      socket.off('error', onError);
      return readAgain(server, request, socket, head);
    }
    const path = (request.url ?? '/').split('?', 1)[0]!;
    const protocol = protocols.find(({ owns }) => owns(request.url ?? '/'));
    if (!protocol) return rejectUpgrade(socket, 404, `there is no WebSocket at ${path}`);
    const denied = denial(request, socket);
    if (denied) {
      const { body } = new PublicError(401, denied.message);
      return sendRawResponse(socket, 401, body, { 'WWW-Authenticate': denied.header });
    }
    const seconds = refusal(request);
    if (seconds !== undefined) return rejectUpgrade(socket, 429, tooMany(seconds), seconds);
    try {
      protocol.upgrade(request, socket, head);
    } catch (error) {
      onFailure(error);
      socket.destroy();
    }
  };

  server.on('request', onRequest);
  server.on('upgrade', onUpgrade);
  return () => {
    server.off('upgrade', onUpgrade);
  };
}

/** The message for a client without units. */
export const tooMany = (seconds: number) =>
  `Too many requests: try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;

function rejectKey(request: IncomingMessage, response: ServerResponse, denied: NonNullable<ReturnType<Denies>>): void {
  request.resume();
  const type = 'application/json; charset=utf-8';
  response.writeHead(401, {
    'content-type': type,
    'www-authenticate': denied.header,
    'access-control-allow-origin': '*',
  });
  response.end(JSON.stringify(new PublicError(401, denied.message).body));
}

function rejectTooMany(request: IncomingMessage, response: ServerResponse, seconds: number): void {
  request.resume();
  response.writeHead(429, { 'content-type': 'application/json; charset=utf-8', 'retry-after': String(seconds) });
  response.end(JSON.stringify(new PublicError(429, tooMany(seconds)).body));
}

/** Rejects an upgrade request with an error and closes its connection. */
export function rejectUpgrade(socket: Duplex, status: number, message: string, retryAfter?: number): void {
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  sendRawResponse(socket, status, new PublicError(status, message).body, headers);
}

/** Headers that request another protocol. */
const OFFERS: ReadonlySet<string> = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Returns a request to the HTTP server without its upgrade headers: clients that offer HTTP/2 with every request (as that of
 * Java does) get a normal response.
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
