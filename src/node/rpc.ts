import { type buildConnector, type Dispatcher, Pool } from 'undici';
import type { NodeSetting } from '../config/setting.ts';

export type RpcOptions = {
  connections: number;
  timeoutMs: number;
  connectTimeoutMs?: number;
  /** Opens connections; without it any address may be connected to. */
  connect?: buildConnector.connector;
};

/** A request to a node; the path includes the query. */
export type RpcCall = {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string> | undefined;
  body?: Buffer | null;
};

/** A small response, read completely. */
export type RpcResponse = { status: number; type: string; body: Buffer };

/** An invalid response of a node. */
export class RpcError extends Error {
  override name = 'RpcError';
}

/** The RPC client of one node, with a limited number of persistent connections and timeouts. */
export class NodeRpc {
  readonly #pool: Pool;
  /** A separate pool, so that health checks do not wait for calls that hang. */
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
      connect: options.connect ?? { timeout: options.connectTimeoutMs ?? 3000 },
      pipelining: 1,
    };
    this.#pool = new Pool(origin, { ...shared, connections: options.connections });
    this.#checks = new Pool(origin, { ...shared, connections: 2 });
    this.#prefix = pathname.replace(/\/+$/, '');
    this.#headers = node.headers;
    this.#bare = Object.keys(node.headers).length === 0;
    this.#auth = node.auth;
  }

  /** Sends a call of a client; the handler receives the response in chunks. */
  dispatch({ method, path, headers, body = null }: RpcCall, handler: Dispatcher.DispatchHandler): void {
    const all = this.#bare ? headers : { ...headers, ...this.#headers };
    this.#pool.dispatch({ method, path: this.#prefix + path, headers: all ?? null, body }, handler);
  }

  /** Sends a call of this service and reads the complete response. */
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
      if (size > limits.maxBytes) throw new RpcError(`a response of more than ${limits.maxBytes} bytes`);
      chunks.push(chunk);
    }
    const type = String(response.headers['content-type'] ?? '');
    return { status: response.statusCode, type, body: Buffer.concat(chunks) };
  }

  /** The JSON object at a path; anything else is an error. */
  async object(path: string, limits: { timeoutMs: number; maxBytes?: number }): Promise<Record<string, unknown>> {
    const response = await this.call({ method: 'GET', path }, { maxBytes: 1 << 20, ...limits });
    if (response.status !== 200) throw new RpcError(`status ${response.status}`);
    let json: unknown;
    try {
      json = JSON.parse(response.body.toString('utf8'));
    } catch {
      throw new RpcError('not JSON');
    }
    if (json === null || typeof json !== 'object' || Array.isArray(json)) throw new RpcError('not a JSON object');
    return json as Record<string, unknown>;
  }

  /** A text of the node without its secret, should it repeat that. */
  conceal(text: string): string {
    return this.#auth === undefined ? text : text.replaceAll(this.#auth, '…');
  }

  /** Closes every connection, also those in use. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#checks.destroy()]);
  }
}
