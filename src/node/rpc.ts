import { type Dispatcher, Pool } from 'undici';
import type { NodeSetting } from '../config/setting.ts';

export type RpcOptions = { connections: number; timeoutMs: number; connectTimeoutMs?: number };

/** A request to a node: the path with its query, as the node shall see it. */
export type RpcCall = {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string> | undefined;
  body?: Buffer | null;
};

/** A small answer, read whole. */
export type RpcResponse = { status: number; type: string; body: Buffer };

/** What a node answered is not what its RPC promises. */
export class RpcError extends Error {
  override name = 'RpcError';
}

/** The RPC of one node: connections that are kept and bounded, and a timeout for everything. */
export class NodeRpc {
  readonly #pool: Pool;
  /** Health checks must not wait behind calls that hang. */
  readonly #checks: Pool;
  readonly #prefix: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #bare: boolean;
  readonly #auth: string | undefined;

  constructor(node: Pick<NodeSetting, 'url' | 'headers' | 'auth'>, options: RpcOptions) {
    const { origin, pathname } = new URL(node.url);
    const shared = {
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      connect: { timeout: options.connectTimeoutMs ?? 3000 },
      pipelining: 1,
    };
    this.#pool = new Pool(origin, { ...shared, connections: options.connections });
    this.#checks = new Pool(origin, { ...shared, connections: 2 });
    this.#prefix = pathname.replace(/\/+$/, '');
    this.#headers = node.headers;
    this.#bare = Object.keys(node.headers).length === 0;
    this.#auth = node.auth;
  }

  /** Sends a call of a client; what comes back goes to the handler piece by piece. */
  dispatch({ method, path, headers, body = null }: RpcCall, handler: Dispatcher.DispatchHandler): void {
    const all = this.#bare ? headers : { ...headers, ...this.#headers };
    this.#pool.dispatch({ method, path: this.#prefix + path, headers: all ?? null, body }, handler);
  }

  /** Sends a call of our own and reads the whole answer. */
  async call(call: RpcCall, limits: { timeoutMs: number; maxBytes: number; guarded?: boolean }): Promise<RpcResponse> {
    const auth = limits.guarded && this.#auth !== undefined ? { authorization: this.#auth } : {};
    const response = await (call.method === 'GET' ? this.#checks : this.#pool).request({
      method: call.method,
      path: this.#prefix + call.path,
      headers: { ...call.headers, ...this.#headers, ...auth },
      body: call.body ?? null,
      signal: AbortSignal.timeout(limits.timeoutMs),
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limits.maxBytes) throw new RpcError(`an answer of more than ${limits.maxBytes} bytes`);
      chunks.push(chunk);
    }
    const type = String(response.headers['content-type'] ?? '');
    return { status: response.statusCode, type, body: Buffer.concat(chunks) };
  }

  /** The JSON object at a path; anything else is an error. */
  async object(path: string, limits: { timeoutMs: number; maxBytes?: number }): Promise<Record<string, unknown>> {
    const answer = await this.call({ method: 'GET', path }, { maxBytes: 1 << 20, ...limits });
    if (answer.status !== 200) throw new RpcError(`status ${answer.status}`);
    let json: unknown;
    try {
      json = JSON.parse(answer.body.toString('utf8'));
    } catch {
      throw new RpcError('no JSON');
    }
    if (json === null || typeof json !== 'object' || Array.isArray(json)) throw new RpcError('no JSON object');
    return json as Record<string, unknown>;
  }

  /** Ends every connection, also those in use. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#checks.destroy()]);
  }
}
