import { connect, type Socket } from 'node:net';

/** The results of a series of requests. */
export type LoadResult = {
  /** Milliseconds of each request with status 200. */
  latencies: number[];
  /** Responses by status. */
  statuses: Map<number, number>;
  perSecond: number;
};

export type LoadRequest = {
  port: number;
  paths: readonly string[];
  concurrency: number;
  count: number;
  /** Headers of each request. */
  headers?: Record<string, string>;
};

/** Requests the paths in turn over keep-alive connections, each with one request at a time. */
export async function loadHttp({ port, paths, concurrency, count, headers = {} }: LoadRequest): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(([name, text]) => `${name}: ${text}\r\n`);
  const requests = paths.map(path => Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`));
  let next = 0;
  const connections = await Promise.all(Array.from({ length: concurrency }, () => Connection.open(port)));
  const started = performance.now();
  await Promise.all(
    connections.map(async connection => {
      while (next < count) {
        const request = requests[next++ % requests.length]!;
        const sent = performance.now();
        const status = await connection.ask(request);
        if (status === 200) latencies.push(performance.now() - sent);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const connection of connections) connection.close();
  return { latencies, statuses, perSecond: count / seconds };
}

/** Heads are shorter than this. */
const MAX_HEAD = 4096;

/** A keep-alive connection with a minimal HTTP/1.1 parser, which costs the machine little. */
class Connection {
  readonly #socket: Socket;
  /** Bytes of the response still to come; -1 before the end of its head. */
  #left = -1;
  #status = 0;
  #head = '';
  #resolve: (status: number) => void = () => {};
  #reject: (error: Error) => void;

  private constructor(port: number, reject: (error: Error) => void) {
    this.#reject = reject;
    // The bytes are counted and discarded, so that one buffer is enough.
    const buffer = Buffer.allocUnsafe(1 << 16);
    const callback = (length: number) => this.#read(buffer, length);
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
    this.#socket.on('error', error => this.#reject(error));
    this.#socket.on('close', () => this.#reject(new Error('the server has closed the connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connection = new Connection(port, reject);
      connection.#socket.once('connect', () => resolve(connection));
    });
  }

  ask(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#reject = () => {};
    this.#socket.destroy();
  }

  /** Always continues to read. */
  #read(bytes: Buffer, length: number): true {
    this.#left = this.#left >= 0 ? this.#left - length : this.#bodyAfter(bytes, length);
    if (this.#left === 0) {
      this.#left = -1;
      this.#resolve(this.#status);
    }
    return true;
  }

  /** Parses the head and returns the missing bytes of the body; -1 if the head is not complete. */
  #bodyAfter(bytes: Buffer, length: number): number {
    const head = this.#head + bytes.toString('latin1', 0, Math.min(length, MAX_HEAD));
    const end = head.indexOf('\r\n\r\n');
    const read = this.#head.length + length;
    this.#head = end < 0 ? head : '';
    if (end < 0) return -1;
    const size = /\r\ncontent-length: *(\d+)/i.exec(head);
    this.#status = Number(head.slice(9, 12));
    if (!size && this.#status !== 304) {
      this.#reject(new Error('an answer without content-length'));
      return -1;
    }
    return Number(size?.[1] ?? 0) - (read - end - 4);
  }
}
