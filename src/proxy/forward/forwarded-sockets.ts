import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { PublicError, sendRawResponse } from '../../errors.ts';
import { failureOf } from '../failure.ts';
import { errorOf, type ForwardedService } from './forwarded-service.ts';

export type ForwardedSocketsOptions = {
  service: ForwardedService;
  maxConnections: number;
  /** Time without a byte in either direction after which a connection is closed. */
  idleMs: number;
  onCount?: (open: number) => void;
};

/** The headers of the WebSocket handshake (RFC 6455); no others are passed on, in either direction. */
const REQUEST_HEADERS = [
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
];
const RESPONSE_HEADERS = ['sec-websocket-accept', 'sec-websocket-extensions', 'sec-websocket-protocol'];
const SWITCH = { connection: 'Upgrade', upgrade: 'websocket' };

/** Forwards the WebSockets of a service that speaks Socket.IO. */
export class ForwardedSockets {
  readonly #options: ForwardedSocketsOptions;
  readonly #open = new Set<Duplex>();

  constructor(options: ForwardedSocketsOptions) {
    this.#options = options;
  }

  owns(url: string): boolean {
    return url.startsWith(`${this.#options.service.options.prefix}/socket.io/`);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { service, maxConnections } = this.#options;
    let target: string;
    try {
      target = service.targetOf(withoutKey(request.url ?? '/'));
      if (this.#open.size >= maxConnections) throw new PublicError(503, 'too many connections: try again later');
    } catch (error) {
      if (!(error instanceof PublicError)) throw error;
      return void sendRawResponse(socket, error.status, error.body);
    }
    this.#count(socket);
    this.#connect(target, request, socket, head);
  }

  /** Ends every connection; clients connect again. */
  stop(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #count(socket: Duplex): void {
    const { onCount } = this.#options;
    this.#open.add(socket);
    onCount?.(this.#open.size);
    socket.once('close', () => {
      this.#open.delete(socket);
      onCount?.(this.#open.size);
    });
  }

  #connect(target: string, { headers }: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { address, timeoutMs, title, onOutcome } = this.#options.service.options;
    const { protocol, pathname, origin } = new URL(address.url);
    const url = origin + pathname.replace(/\/+$/, '') + target;
    const passed = Object.fromEntries(REQUEST_HEADERS.flatMap(name => (headers[name] ? [[name, headers[name]]] : [])));
    const open = protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = open(url, { agent: false, headers: { ...passed, ...SWITCH, ...address.headers } });
    const timer = setTimeout(() => outgoing.destroy(Object.assign(new Error(), { name: 'TimeoutError' })), timeoutMs);
    const leave = () => outgoing.destroy();
    socket.once('close', leave);
    let done = false;
    const refuse = (error: unknown) => {
      clearTimeout(timer);
      if (done) return;
      done = true;
      const failure = failureOf(error);
      onOutcome?.(failure.kind);
      const { status, body } = errorOf(failure, title);
      if (socket.writable) sendRawResponse(socket, status, body);
    };
    outgoing.on('error', refuse);
    outgoing.on('response', response => {
      response.destroy();
      refuse(new Error(`status ${response.statusCode}`));
    });
    outgoing.on('upgrade', (response, upstream, first) => {
      clearTimeout(timer);
      done = true;
      socket.off('close', leave);
      onOutcome?.('answered');
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${linesOf(response)}\r\n`);
      this.#join(socket, head, upstream, first);
    });
    outgoing.end();
  }

  /** Passes bytes on in both directions, each at the speed of its reader, until one side ends. */
  #join(socket: Duplex, head: Buffer, upstream: Duplex, first: Buffer): void {
    const end = () => {
      clearTimeout(idle);
      socket.destroy();
      upstream.destroy();
    };
    const idle = setTimeout(end, this.#options.idleMs);
    const live = () => void idle.refresh();
    for (const side of [socket, upstream]) side.on('error', end).on('close', end).on('data', live);
    if (head.length > 0) upstream.write(head);
    if (first.length > 0) socket.write(first);
    socket.pipe(upstream).pipe(socket);
  }
}

/** A key of this service is not for the other one. */
const withoutKey = (url: string) => url.replace(/([?&])api_key=[^&]*&?/g, '$1');

/** The head of the response, with the headers of the handshake only. */
function linesOf({ headers }: IncomingMessage): string {
  const all = Object.entries(SWITCH);
  for (const name of RESPONSE_HEADERS) if (headers[name] !== undefined) all.push([name, String(headers[name])]);
  return all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}
