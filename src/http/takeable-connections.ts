import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

export type TakeableOptions = {
  /** Whether the first bytes of a connection begin a request that may take the connection. */
  mayTake: (head: string) => boolean;
  /** How long a client may send nothing at first. */
  silentMs: number;
  /** Called with a connection that sent nothing for so long. */
  onSilent: (socket: Socket) => void;
};

/** As many bytes as tell the method and the path of a request that may take its connection. */
const HEAD_BYTES = 64;

const SWEEP_MS = 1_000;

const ignore = () => {};

/**
 * The HTTP server holds 7 kB for each open response: its parser, the request and the response. A response that may stay open for days needs
 * only the socket. So the HTTP server gets a connection whose first request may take it as a stream of bytes, as the documentation of the
 * event `connection` allows, and all other connections as they are, after their first bytes. Returns what closes those that sent nothing yet.
 */
export function offerTakeable(server: Server, { mayTake, silentMs, onSilent }: TakeableOptions): () => void {
  const accepting = server.listeners('connection') as ((connection: Duplex) => void)[];
  // A server that takes connections by other means keeps them; streams are then responses like all others.
  if (accepting.length === 0) return () => {};
  server.removeAllListeners('connection');
  const accept = (connection: Duplex) => {
    for (const listener of accepting) listener.call(server, connection);
  };
  /** Connections that have sent nothing yet, the oldest first, with the time when they were opened. */
  const silent = new Map<Socket, number>();
  function close(this: Socket): void {
    silent.delete(this);
  }
  function readable(this: Socket): void {
    silent.delete(this);
    this.off('readable', readable).off('close', close);
    const first = this.read() as Buffer | null;
    if (first === null) return void this.destroy();
    this.unshift(first);
    this.off('error', ignore);
    accept(mayTake(first.toString('latin1', 0, HEAD_BYTES)) ? new TakeableConnection(this) : this);
  }
  server.on('connection', (socket: Socket) => {
    silent.set(socket, performance.now());
    socket.on('readable', readable).on('close', close).on('error', ignore);
  });
  const sweep = () => {
    const now = performance.now();
    for (const [socket, since] of silent) {
      if (now - since < silentMs) return;
      silent.delete(socket);
      socket.off('readable', readable);
      onSilent(socket);
    }
  };
  const timer = setInterval(sweep, Math.min(SWEEP_MS, silentMs)).unref();
  return () => {
    clearInterval(timer);
    for (const socket of silent.keys()) socket.destroy();
  };
}

/** The bytes of a socket, until somebody takes it. */
export class TakeableConnection extends Duplex {
  #socket: Socket | undefined;
  readonly #listeners = {
    data: (chunk: Buffer) => {
      if (!this.push(chunk)) this.#socket?.pause();
    },
    end: () => this.push(null),
    timeout: () => this.emit('timeout'),
    error: (error: Error) => this.destroy(error),
    close: () => this.destroy(),
  };

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    for (const [event, listener] of Object.entries(this.#listeners)) socket.on(event, listener);
  }

  get remoteAddress(): string | undefined {
    return this.#socket?.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.#socket?.remotePort;
  }

  get bytesWritten(): number {
    return this.#socket?.bytesWritten ?? 0;
  }

  setTimeout(milliseconds: number): this {
    this.#socket?.setTimeout(milliseconds);
    return this;
  }

  /**
   * The socket, which the HTTP server regards as closed from now on; whoever takes it has to end it. Undefined while bytes of an earlier
   * response wait, or if the connection has gone.
   */
  takeSocket(): Socket | undefined {
    const socket = this.#socket;
    if (!socket || socket.destroyed || this.destroyed || this.writableLength > 0) return undefined;
    this.#socket = undefined;
    for (const [event, listener] of Object.entries(this.#listeners)) socket.off(event, listener);
    socket.setTimeout(0);
    this.destroy();
    return socket;
  }

  override _read(): void {
    this.#socket?.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#socket) this.#socket.write(chunk, encoding, done);
    else done();
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#socket) this.#socket.end(() => done());
    else done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket?.destroy();
    done(error);
  }
}
