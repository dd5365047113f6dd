import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerBare } from '../bare-answer.ts';
import { PublicError } from '../errors.ts';

/** One of the protocols that connections of the server are upgraded to. */
export type Upgradable = {
  /** Whether a URL belongs to it. */
  owns(url: string): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Answers plain requests below its URL, where it has such. */
  answer?(request: IncomingMessage, response: ServerResponse): void;
};

/** Takes units from the share of whoever sent a request; seconds after which it may try again when it has none left. */
export type Refusal = (request: IncomingMessage, units?: number) => number | undefined;

/** Bytes of a message that one unit of the rate limit pays for. */
const BYTES_PER_UNIT = 4096;

/** Units that a message of so many bytes costs its client. */
export const unitsOf = (bytes: number): number => 1 + Math.floor(bytes / BYTES_PER_UNIT);

export type UpgradeOptions = {
  server: Server;
  protocols: readonly Upgradable[];
  refusal: Refusal;
  /** Told of what a protocol failed with, instead of the process. */
  onFailure: (error: unknown) => void;
};

/**
 * Owns every connection of a server that asks for another protocol: each one goes to exactly one protocol, is answered and
 * closed, or goes back to the server as a plain request. None is left without somebody who hears its errors.
 */
export function ownUpgrades(options: UpgradeOptions): () => void {
  const { server, protocols, refusal, onFailure } = options;
  const others = server.listeners('request');
  server.removeAllListeners('request');

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const protocol = protocols.find(({ answer, owns }) => answer && owns(request.url ?? '/'));
    if (!protocol?.answer) {
      for (const other of others) other.call(server, request, response);
      return;
    }
    const seconds = refusal(request);
    if (seconds !== undefined) return answerTooMany(request, response, seconds);
    try {
      protocol.answer(request, response);
    } catch (error) {
      onFailure(error);
      response.destroy();
    }
  };

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Until a protocol listens itself nobody else would, and an error that nobody hears ends the process.
    const onError = () => socket.destroy();
    socket.on('error', onError);
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      socket.off('error', onError);
      return readAgain(server, request, socket, head);
    }
    const path = (request.url ?? '/').split('?', 1)[0]!;
    const protocol = protocols.find(({ owns }) => owns(request.url ?? '/'));
    if (!protocol) return refuseUpgrade(socket, 404, `there is no WebSocket at ${path}`);
    const seconds = refusal(request);
    if (seconds !== undefined) return refuseUpgrade(socket, 429, tooMany(seconds), seconds);
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

/** What a client is told that has used up its share. */
export const tooMany = (seconds: number) =>
  `Too many requests: try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;

function answerTooMany(request: IncomingMessage, response: ServerResponse, seconds: number): void {
  request.resume();
  response.writeHead(429, { 'content-type': 'application/json; charset=utf-8', 'retry-after': String(seconds) });
  response.end(JSON.stringify(new PublicError(429, tooMany(seconds)).body));
}

/** Answers a request for an upgrade with an error and closes its connection. */
export function refuseUpgrade(socket: Duplex, status: number, message: string, retryAfter?: number): void {
  answerBare(socket, status, new PublicError(status, message).body, retryAfter);
}

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
