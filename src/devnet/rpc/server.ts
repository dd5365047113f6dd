import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Simulation } from '../simulation.ts';
import { blockRoutes } from './blocks.ts';
import { contractRoutes } from './contracts.ts';
import { controlRoutes } from './control.ts';
import { infoRoutes } from './info.ts';
import { stackerSetRoutes } from './stacker-set.ts';
import { transactionRoutes } from './transactions.ts';

/** A request as far as a route needs it; the parts are what the pattern caught. */
export type RpcRequest = {
  parts: string[];
  query: URLSearchParams;
  type: string;
  body(): Promise<Buffer>;
};

/** An answer: JSON, or bytes as they are. */
export type RpcAnswer =
  | { status?: number; json: unknown }
  | { status?: number; bytes: Uint8Array }
  | { status: number; text: string };

export type RpcRoute = {
  method: 'GET' | 'POST';
  path: RegExp;
  answer(request: RpcRequest): Promise<RpcAnswer> | RpcAnswer;
};

export type RpcServer = { url: string; port: number; stop(): Promise<void> };

const mostBytes = 5 << 20;

export const notFound = (text: string): RpcAnswer => ({ status: 404, text });
export const badRequest = (text: string): RpcAnswer => ({ status: 400, text });

/** The RPC of the simulated node, and its control under `/devnet`. */
export async function startRpcServer(
  simulation: Simulation,
  { host, port, ready }: { host: string; port: number; ready: () => Promise<void> },
): Promise<RpcServer> {
  const { node } = simulation;
  const routes: RpcRoute[] = [
    ...infoRoutes(node),
    ...transactionRoutes(node),
    ...contractRoutes(node),
    ...blockRoutes(node),
    ...stackerSetRoutes(node),
    ...controlRoutes(simulation),
  ];
  return await serveRoutes(routes, { host, port, ready });
}

/** Serves routes over HTTP; all but the control wait until the node is `ready`. */
export async function serveRoutes(
  routes: readonly RpcRoute[],
  { host, port, ready = async () => {} }: { host: string; port: number; ready?: () => Promise<void> },
): Promise<RpcServer> {
  const server = createServer((request, response) => {
    const control = request.url?.startsWith('/devnet');
    const answered = control ? respond(routes, request) : ready().then(() => respond(routes, request));
    answered.then(
      answer => {
        const [type, body] =
          'json' in answer
            ? ['application/json', JSON.stringify(answer.json)]
            : 'bytes' in answer
              ? ['application/octet-stream', answer.bytes]
              : ['text/plain', answer.text];
        response.writeHead(answer.status ?? 200, { 'content-type': type, 'access-control-allow-origin': '*' });
        response.end(body);
      },
      () => response.writeHead(500).end(),
    );
  });
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    port: taken,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(routes: readonly RpcRoute[], request: IncomingMessage): Promise<RpcAnswer> {
  const url = new URL(request.url ?? '/', 'http://node');
  const path = decodeURIComponent(url.pathname.replace(/(.)\/+$/, '$1'));
  const known = routes.filter(route => route.path.test(path));
  const route = known.find(({ method }) => method === request.method);
  if (!route) return known.length > 0 ? { status: 405, text: 'Method Not Allowed' } : notFound('No such resource');
  return await route.answer({
    parts: route.path.exec(path)!.slice(1),
    query: url.searchParams,
    type: request.headers['content-type'] ?? '',
    body: () => readBody(request),
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += (piece as Buffer).length;
    if (length > mostBytes) throw new Error('the body is too long');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}
