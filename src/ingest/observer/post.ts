import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainAddress } from '../../config/address-set.ts';
import type { NewEvent } from '../log/event-log.ts';
import { knownPaths } from '../log/event-names.ts';
import type { BodyLimits } from './event-body.ts';
import type { SignerBuffer } from './signer-buffer.ts';

/** How a post ended. */
export type PostOutcome = 'stored' | 'discarded' | 'unavailable' | 'refused';

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

/** What all posts share. */
export type ObserverService = {
  log: { append(event: NewEvent): Promise<bigint> };
  logger: Logger | undefined;
  onPost: ((post: ObservedPost) => void) | undefined;
  keepAll: boolean;
  limits: BodyLimits;
  signers: SignerBuffer;
  /** Why no events are accepted; undefined while they are. */
  suspended: string | undefined;
};

/** A request of a node on its way through the stages. */
export class Post {
  readonly service: ObserverService;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Its address is not one of those that may post. */
  readonly isOfStranger: boolean;
  readonly path: string;
  /** The only clock that tells when a message of a signer was sent. */
  readonly arrived = new Date();
  /** Of the body, as far as it was read. */
  bytes = 0;
  /** Chunks of miners and signers that were unknown or could not be decoded. */
  skippedChunks = 0;
  readonly #started = performance.now();

  constructor(service: ObserverService, request: IncomingMessage, response: ServerResponse, isOfStranger: boolean) {
    this.service = service;
    this.request = request;
    this.response = response;
    this.isOfStranger = isOfStranger;
    this.path = pathOf(request.url ?? '/');
  }

  get address(): string {
    return plainAddress(this.request.socket.remoteAddress ?? 'gone');
  }

  /** The name of the sender in the log of events. */
  get source(): string {
    return `node ${this.address}`;
  }

  /** Reports how it ended. */
  report(outcome: PostOutcome): void {
    this.service.onPost?.({
      path: knownPaths.has(this.path) ? this.path : 'other',
      bytes: this.bytes,
      durationMs: performance.now() - this.#started,
      outcome,
      ...(this.skippedChunks > 0 && { skippedChunks: this.skippedChunks }),
    });
  }

  respond(status: number, body: object): void {
    const { response } = this;
    if (response.headersSent || response.destroyed) return;
    const text = JSON.stringify(body);
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    response.end(text);
  }

  /** Ends the connection after the response, because the rest of the body is not read. */
  respondUnread(status: number, body: object): void {
    this.response.setHeader('Connection', 'close');
    this.respond(status, body);
    this.#drainBriefly();
  }

  /** Lets a sender read the response: closing a socket with unread bytes would reset it. */
  #drainBriefly(): void {
    const { request } = this;
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => request.destroy(), 2_000);
    request.on('error', () => {}).once('close', () => clearTimeout(timer));
    request.resume();
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
