// Uses node:http only: nothing between the socket and the log buffers, parses or times out on its own, and
// a body can be left unread in the kernel until the budget has bytes for it.
import { createServer, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { addressSet, plainAddress } from '../../config/address-set.ts';
import { sendRawResponse, statusOfParseError } from '../../errors.ts';
import { listen } from '../../listen.ts';
import type { NewEvent } from '../log/event-log.ts';
import { ByteBudget } from './byte-budget.ts';
import { type Logger, type ObservedPost, type ObserverService, Post } from './post.ts';
import { receive } from './post-stages.ts';
import { SignerBuffer } from './signer-buffer.ts';

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

export type Observer = {
  port: number;
  /** Answers events with 503 and this reason, so that nodes repeat them; with undefined they are accepted again. */
  suspend(reason: string | undefined): void;
  /** Takes no new posts, finishes those in hand for at most `graceMs`, then closes every connection. */
  stop(graceMs?: number): Promise<void>;
};

const MAX_CONNECTIONS = 512;
/** Of those, connections of addresses that may not post; the rest is for nodes. */
const MAX_STRANGERS = 16;

/** Listens for the events of nodes and responds to each when the log has it on disk. */
export async function startObserver(options: ObserverOptions): Promise<Observer> {
  const service = openService(options);
  const open = new Set<ServerResponse>();
  /** Connections of addresses that may not post. */
  const strangers = new Set<Socket>();
  const isAllowed = options.allow ? addressSet(options.allow) : () => true;
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 15 * 60_000, keepAliveTimeout: 60_000 },
    (request, response) => {
      open.add(response);
      response.once('close', () => open.delete(response));
      void receive(new Post(service, request, response, strangers.has(request.socket)));
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
      service.suspended = reason;
    },
    async stop(graceMs = 10_000) {
      for (const response of open) response.shouldKeepAlive = false;
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
      await service.signers.stop();
    },
  };
}

function openService(options: ObserverOptions): ObserverService {
  const { log, logger, onPost, keepAll = false } = options;
  return {
    ...{ log, logger, onPost, keepAll },
    suspended: undefined,
    signers: new SignerBuffer(log, error =>
      logger?.error({ err: error }, 'messages of signers could not be stored; they are tried again'),
    ),
    limits: {
      bodyLimit: options.bodyLimit ?? 500 << 20,
      stallMs: options.stallMs ?? 30_000,
      smallBodies: new ByteBudget(options.memoryBudget ?? 64 << 20),
      largeBodies: new ByteBudget(1),
    },
  };
}

/** Responds to bytes that are not HTTP, or to a body that ended early. */
function respondToBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = statusOfParseError(error);
  sendRawResponse(socket, status, { error: `the request was broken: ${STATUS_CODES[status]?.toLowerCase()}` });
}
