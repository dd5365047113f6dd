import { rmSync } from 'node:fs';
import { createServer, connect as dial, type NetConnectOpts, type Server, type Socket } from 'node:net';

/** Where a side of the proxy is: a port of 127.0.0.1 or the path of a unix socket. */
export type Endpoint = { port: number } | { path: string };

type Link = { client: Socket; server: Socket };

/**
 * A proxy between the service and its database that breaks connections as networks do. While it is `stalled` it takes new
 * connections and lets no byte through in either direction, not even the end of a connection: to both sides the other
 * one looks alive and says nothing, as behind a lost route.
 */
export class FaultProxy {
  readonly #server: Server;
  readonly #links = new Set<Link>();
  readonly #forgotten = new Set<Link>();
  #target: Endpoint;
  #stalled = false;
  /** Bytes of responses that each connection may still receive before it is reset. */
  #resetAfter: number | undefined;

  private constructor(target: Endpoint) {
    this.#target = target;
    this.#server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, client => this.#open(client));
  }

  static async open(listen: Endpoint, target: Endpoint): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    if ('path' in listen) rmSync(listen.path, { force: true });
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen('path' in listen ? listen.path : { port: listen.port, host: '127.0.0.1' }, resolve);
    });
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (typeof address !== 'object' || !address) throw new Error('the proxy listens on a unix socket');
    return address.port;
  }

  get connections(): number {
    return this.#links.size;
  }

  /** New connections go there from now on. */
  retarget(target: Endpoint): void {
    this.#target = target;
  }

  /** Breaks every connection inside a response: after a few more bytes, or at once if there is none. */
  async resetDuringResponses(bytes: number, patienceMs: number): Promise<void> {
    const before = [...this.#links];
    this.#resetAfter = bytes;
    const end = Date.now() + patienceMs;
    while (before.some(link => this.#links.has(link)) && Date.now() < end) await new Promise(r => setTimeout(r, 5));
    this.#resetAfter = undefined;
    for (const link of before) this.#reset(link);
  }

  resetAll(): void {
    for (const link of this.#links) this.#reset(link);
  }

  stall(): void {
    this.#stalled = true;
    for (const { client, server } of this.#links) {
      client.pause();
      server.pause();
    }
  }

  /** Open connections stay silent forever, as when a router loses its flows; new connections work. */
  forget(): void {
    for (const link of this.#links) {
      this.#links.delete(link);
      link.client.pause();
      link.server.pause();
      this.#forgotten.add(link);
    }
  }

  /** Lets bytes through again, for connections that were stalled as well. */
  resume(): void {
    this.#stalled = false;
    for (const { client, server } of this.#links) {
      client.resume();
      server.resume();
    }
  }

  /** Takes no more connections; those that are open stay. */
  refuse(): void {
    this.#server.close();
  }

  async close(): Promise<void> {
    for (const link of this.#forgotten) this.#reset(link);
    this.resetAll();
    if (this.#server.listening) await new Promise<void>(resolve => this.#server.close(() => resolve()));
  }

  #open(client: Socket): void {
    const target: NetConnectOpts =
      'path' in this.#target ? { ...this.#target } : { port: this.#target.port, host: '127.0.0.1' };
    const server = dial({ ...target, allowHalfOpen: true });
    const link = { client, server };
    this.#links.add(link);
    client.on('error', () => this.#reset(link));
    server.on('error', () => this.#reset(link));
    client.on('data', chunk => pass(chunk, server, client, () => this.#holds(link)));
    server.on('data', chunk => this.#answer(link, chunk));
    client.on('end', () => server.end());
    server.on('end', () => client.end());
    client.on('close', () => this.#closed(link));
    server.on('close', () => this.#closed(link));
    if (this.#stalled) server.pause();
    else client.resume();
  }

  #answer(link: Link, chunk: Buffer): void {
    const most = this.#resetAfter;
    if (most === undefined) {
      pass(chunk, link.client, link.server, () => this.#holds(link));
      return;
    }
    // Split in two: the first part is the start of a message whose end never arrives.
    link.client.write(chunk.subarray(0, Math.min(most, chunk.length - 1)), () => this.#reset(link));
  }

  #reset(link: Link): void {
    this.#links.delete(link);
    for (const socket of [link.client, link.server]) {
      // A unix socket has no address, and knows no reset.
      if (socket.connecting || socket.remoteAddress === undefined) socket.destroy();
      else socket.resetAndDestroy();
    }
  }

  #holds(link: Link): boolean {
    return this.#stalled || this.#forgotten.has(link);
  }

  #closed(link: Link): void {
    if (!link.client.destroyed || !link.server.destroyed) return;
    this.#links.delete(link);
    this.#forgotten.delete(link);
  }
}

/** Writes with the pace of the receiver. */
function pass(chunk: Buffer, to: Socket, from: Socket, held: () => boolean): void {
  if (to.destroyed || to.write(chunk)) return;
  from.pause();
  to.once('drain', () => {
    if (!held()) from.resume();
  });
}
