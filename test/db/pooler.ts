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

type Backend = {
  socket: Socket;
  client: Client | undefined;
  /** Prepared statements that it has. */
  names: Set<string>;
  /** Answers to statements that the pooler prepared itself, which the client must not see. */
  swallow: number;
};
type Client = {
  socket: Socket;
  id: number;
  /** Its prepared statements: the message that prepares each, with the name that the server knows. */
  prepared: Map<string, Buffer>;
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
const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const DESCRIBE = 'D'.charCodeAt(0);
const PARSED = '1'.charCodeAt(0);

/**
 * Stands in for a pooler in transaction mode: each transaction of a client goes to the next process of the server, whoever
 * opened that, and settings of a startup are not passed on. With `carries` it renames prepared statements and prepares them
 * on each process, as newer poolers do.
 */
export async function openPooler(
  t: TestContext,
  target: string,
  { carries = false } = {},
): Promise<{ url: string; carried(): number }> {
  let clients = 0;
  let carried = 0;
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
    const group = client.groups.shift()!;
    const messages = carries ? group.flatMap(message => renamed(message, client, client.backend!)) : group;
    if (messages.length > group.length) carried++;
    client.backend.socket.write(Buffer.concat(messages));
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
    if (message[0] === PARSED && backend.swallow > 0) {
      backend.swallow--;
      return;
    }
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
    const backend: Backend = { socket: upstream, client: undefined, names: new Set(), swallow: 0 };
    const own = { id: clients++, prepared: new Map<string, Buffer>() };
    const client: Client = { socket, ...own, groups: [], buffered: [], backend, started: false, busy: false };
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
  return { url: throughPort(target, (server.address() as AddressInfo).port), carried: () => carried };
}

/** The message with the name by which the server knows its statement; before it, what prepares that where it is missing. */
function renamed(message: Buffer, client: Client, backend: Backend): Buffer[] {
  const type = message[0];
  const portalEnd = type === BIND ? message.indexOf(0, 5) : 0;
  const start = type === PARSE ? 5 : type === BIND ? portalEnd + 1 : type === DESCRIBE ? 6 : -1;
  if (start < 0 || (type === DESCRIBE && message[5] !== SYNC)) return [message];
  const end = message.indexOf(0, start);
  const name = message.toString('utf8', start, end);
  if (name === '') return [message];
  const known = `pooled_${client.id}_${name}`;
  const body = Buffer.concat([message.subarray(5, start), Buffer.from(known), message.subarray(end)]);
  const head = Buffer.alloc(5);
  head[0] = type!;
  head.writeInt32BE(4 + body.length, 1);
  const changed = Buffer.concat([head, body]);
  if (type === PARSE) client.prepared.set(name, changed);
  const missing = type === PARSE || backend.names.has(known) ? undefined : client.prepared.get(name);
  backend.names.add(known);
  if (!missing) return [changed];
  backend.swallow++;
  return [missing, changed];
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
