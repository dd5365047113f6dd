import { connect, type Socket } from 'node:net';

/** What a series of requests came to. */
export type LoadResult = {
  /** Milliseconds of each request that was answered 200. */
  latencies: number[];
  /** Answers by status. */
  statuses: Map<number, number>;
  perSecond: number;
};

export type LoadRequest = { port: number; paths: readonly string[]; concurrency: number; count: number };

/** Asks for the paths in turn over keep-alive connections, each with one request under way. */
export async function loadHttp({ port, paths, concurrency, count }: LoadRequest): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  const requests = paths.map(path => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`));
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

/** A keep-alive connection that understands just enough of HTTP/1.1 to cost the machine little. */
class Connection {
  readonly #socket: Socket;
  #left = -1;
  #status = 0;
  #head: Buffer | undefined;
  #resolve: (status: number) => void = () => {};
  #reject: (error: Error) => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', chunk => this.#read(chunk));
    socket.on('error', error => this.#reject(error));
    socket.on('close', () => this.#reject(new Error('the server has closed the connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)));
      socket.once('error', reject);
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

  #read(chunk: Buffer): void {
    if (this.#left >= 0) this.#left -= chunk.length;
    else {
      const bytes = this.#head ? Buffer.concat([this.#head, chunk]) : chunk;
      const end = bytes.indexOf('\r\n\r\n');
      this.#head = end < 0 ? bytes : undefined;
      if (end < 0) return;
      const head = bytes.toString('latin1', 0, end);
      const length = /\r\ncontent-length: *(\d+)/i.exec(head);
      this.#status = Number(head.slice(9, 12));
      if (!length && this.#status !== 304) {
        this.#reject(new Error('an answer without content-length'));
        return;
      }
      this.#left = Number(length?.[1] ?? 0) - (bytes.length - end - 4);
    }
    if (this.#left > 0) return;
    this.#left = -1;
    this.#resolve(this.#status);
  }
}
