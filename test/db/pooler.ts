import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'vitest';
import { connectTo, throughPort } from './tcp-proxy.ts';

/** Startup, a length without a type before it; then messages of a type and a length. */
class Messages {
  #left = Buffer.alloc(0);
  #started: boolean;

  constructor(started: boolean) {
    this.#started = started;
  }

  *read(chunk: Buffer): Generator<Buffer> {
    this.#left = Buffer.concat([this.#left, chunk]);
    for (;;) {
      const before = this.#started ? 1 : 0;
      if (this.#left.length < before + 4) return;
      const length = before + this.#left.readInt32BE(before);
      if (this.#left.length < length) return;
      this.#started = true;
      yield this.#left.subarray(0, length);
      this.#left = this.#left.subarray(length);
    }
  }
}

type Backend = { socket: Socket; client: Client | undefined };
type Client = {
  socket: Socket;
  groups: Buffer[][];
  buffered: Buffer[];
  backend: Backend | undefined;
  started: boolean;
  busy: boolean;
};

const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);

/**
 * Stands in for a pooler in transaction mode: each transaction of a client goes to the next process of the server, whoever
 * opened that, and settings of a startup are not passed on.
 */
export async function openPooler(t: TestContext, target: string): Promise<{ url: string }> {
  const server = createServer();
  const free: Backend[] = [];
  const waiting: Client[] = [];
  const sockets: Socket[] = [];

  /** Sends what a client asks next, once the answer before is there and a process of the server is free. */
  const next = (client: Client) => {
    if (client.busy || client.groups.length === 0) return;
    if (!client.backend) {
      if (!waiting.includes(client)) waiting.push(client);
      return;
    }
    client.busy = true;
    client.backend.socket.write(Buffer.concat(client.groups.shift()!));
  };
  const serve = () => {
    while (waiting.length > 0 && free.length > 0) {
      const client = waiting.shift()!;
      const backend = free.shift()!;
      backend.client = client;
      client.backend = backend;
      next(client);
    }
  };
  const answered = (backend: Backend, message: Buffer) => {
    const { client } = backend;
    if (!client) return;
    client.socket.write(message);
    if (message[0] !== READY) return;
    client.busy = false;
    client.started = true;
    if (message[5] === IDLE) {
      backend.client = undefined;
      client.backend = undefined;
      free.push(backend);
    }
    next(client);
    serve();
  };

  server.on('connection', socket => {
    const upstream = connectTo(target);
    sockets.push(socket, upstream);
    for (const each of [socket, upstream]) each.on('error', () => {});
    const backend: Backend = { socket: upstream, client: undefined };
    const client: Client = { socket, groups: [], buffered: [], backend, started: false, busy: false };
    backend.client = client;
    const fromClient = new Messages(false);
    const fromServer = new Messages(true);
    let first = true;
    socket.on('data', chunk => {
      for (const message of fromClient.read(chunk)) {
        const copy = Buffer.from(message);
        if (first) upstream.write(withoutOptions(copy));
        else if (!client.started) upstream.write(copy);
        else {
          client.buffered.push(copy);
          if (copy[0] === SYNC || copy[0] === QUERY) client.groups.push(client.buffered.splice(0));
        }
        first = false;
      }
      next(client);
      serve();
    });
    upstream.on('data', chunk => {
      for (const message of fromServer.read(chunk)) answered(backend, Buffer.from(message));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: throughPort(target, (server.address() as AddressInfo).port) };
}

/** The startup message without the settings that a pooler is told to ignore. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8, -1).toString().split('\0').slice(0, -1);
  const accepted: string[] = [];
  for (let i = 0; i < words.length; i += 2) if (words[i] !== 'options') accepted.push(words[i]!, words[i + 1]!);
  const body = Buffer.from(`${accepted.map(word => `${word}\0`).join('')}\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length, 0);
  startup.copy(head, 4, 4, 8);
  return Buffer.concat([head, body]);
}
