import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a stub may misbehave; `checks` says whether its health checks suffer too. */
export type Fault =
  | 'hang'
  | 'cut'
  | 'html'
  | 'html as json'
  | 'garbage'
  | 'error'
  | 'redirect'
  | 'drip'
  | { delayMs: number };

export type StubRequest = {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The caller went away before it was answered. */
  aborted: boolean;
};

export type StubResponse = { status?: number; headers?: Record<string, string | string[]>; body: string | Buffer };

/** A node that can lag, lie, hang, cut off, answer nonsense, leave and return. */
export class StubNode {
  height = 100;
  burnHeight = 1000;
  chainId = 0x8000_0000;
  /** Of the tip that it reports. */
  tip = 'ab'.repeat(32);
  consensusHash = '0'.repeat(40);
  fault: Fault | undefined;
  /** Whether health checks suffer from the fault as well. */
  faultyChecks = false;
  /** Answers of the test's own. */
  answers: Record<string, (request: StubRequest) => StubResponse> = {};
  readonly requests: StubRequest[] = [];
  checks = 0;
  port = 0;
  #server: Server | undefined;

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#serve(request, response).catch(() => {}));
    await new Promise<void>(resolve => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }

  /** Closes the port at once; `start` opens the same one again. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Paths that clients asked for, health checks left out. */
  get paths(): string[] {
    return this.requests.map(({ method, url }) => `${method} ${url}`);
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = incoming;
    const request: StubRequest = { method, url, headers, body: Buffer.concat(chunks), aborted: false };
    response.once('close', () => {
      request.aborted = !response.writableFinished;
    });
    // The pool asks for both together; a client asks for what it wants.
    const check = headers.accept === undefined && (url === '/v2/info' || url === '/v3/health');
    if (check) this.checks++;
    else this.requests.push(request);
    if (this.fault && (!check || this.faultyChecks))
      return await misbehave(this.fault, response, () => this.#answer(request));
    send(response, this.#answer(request));
  }

  #answer(request: StubRequest): StubResponse {
    const [path = ''] = request.url.split('?');
    const own = this.answers[path] ?? this.answers['*'];
    if (path === '/v2/info') return json(this.#info());
    if (path === '/v3/health') return json({ difference_from_max_peer: 0, node_stacks_tip_height: this.height });
    return own?.(request) ?? json({ path: request.url, height: this.height });
  }

  #info() {
    return {
      ...{ peer_version: 402653189, pox_consensus: '0'.repeat(40), stable_pox_consensus: '0'.repeat(40) },
      ...{ burn_block_height: this.burnHeight, stable_burn_block_height: this.burnHeight - 1 },
      ...{ server_version: 'stub', network_id: this.chainId, parent_network_id: 118034699 },
      ...{ stacks_tip_height: this.height, stacks_tip: this.tip, stacks_tip_consensus_hash: this.consensusHash },
      ...{ unanchored_seq: 0, exit_at_block_height: null },
    };
  }
}

export const json = (value: unknown, status = 200): StubResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

function send(response: ServerResponse, { status = 200, headers = {}, body }: StubResponse): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

async function misbehave(fault: Fault, response: ServerResponse, answer: () => StubResponse): Promise<void> {
  if (typeof fault === 'object') {
    await sleep(fault.delayMs);
    return send(response, answer());
  }
  const type = { 'content-type': 'application/json' };
  switch (fault) {
    case 'hang':
      return;
    case 'cut':
      response.writeHead(200, { ...type, 'content-length': '1000' });
      response.write('{"half":');
      await sleep(5);
      return void response.destroy();
    case 'drip':
      response.writeHead(200, { ...type, 'content-length': '100000' });
      while (!response.destroyed) {
        response.write(' ');
        await sleep(20);
      }
      return;
    case 'html':
      return send(response, { headers: { 'content-type': 'text/html' }, body: '<html>10.1.2.3</html>' });
    case 'html as json':
      return send(response, { headers: type, body: '<html>10.1.2.3</html>' });
    case 'garbage':
      response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
      return;
    case 'redirect':
      return send(response, { status: 302, headers: { location: 'http://10.1.2.3/' }, body: '' });
    case 'error':
      return send(response, { status: 500, headers: type, body: '{"error":"thread panicked at 10.1.2.3"}' });
  }
}

/** What of a test's context is needed to end what was started for it. */
type Ending = { onTestFinished(work: () => Promise<void>): void };

export async function startNodes(t: Ending, count: number): Promise<StubNode[]> {
  const nodes = await Promise.all(Array.from({ length: count }, () => new StubNode().start()));
  t.onTestFinished(async () => void (await Promise.all(nodes.map(node => node.stop()))));
  return nodes;
}
