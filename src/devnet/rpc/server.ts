import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { notFound, type RpcResponse, type RpcRoute } from './route.ts';

export type RpcServer = { url: string; port: number; stop(): Promise<void> };

const maxBodyBytes = 5 << 20;

/** Serves routes over HTTP; all routes but `/devnet` wait for `ready`. */
export async function serveRoutes(
  routes: readonly RpcRoute[],
  { host, port, ready = async () => {} }: { host: string; port: number; ready?: () => Promise<void> },
): Promise<RpcServer> {
  const server = createServer((request, response) => {
    const control = request.url?.startsWith('/devnet');
    const responded = control ? dispatch(routes, request) : ready().then(() => dispatch(routes, request));
    responded.then(
      result => {
        const [type, body] =
          'json' in result
            ? ['application/json', JSON.stringify(result.json)]
            : 'bytes' in result
              ? ['application/octet-stream', result.bytes]
              : ['text/plain', result.text];
        response.writeHead(result.status ?? 200, { 'content-type': type, 'access-control-allow-origin': '*' });
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
  const boundPort = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    port: boundPort,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function dispatch(routes: readonly RpcRoute[], request: IncomingMessage): Promise<RpcResponse> {
  const url = new URL(request.url ?? '/', 'http://node');
  const path = decodeURIComponent(url.pathname.replace(/(.)\/+$/, '$1'));
  const known = routes.filter(route => route.path.test(path));
  const route = known.find(({ method }) => method === request.method);
  if (!route) return known.length > 0 ? { status: 405, text: 'Method Not Allowed' } : notFound('No such resource');
  return await route.respond({
    params: route.path.exec(path)!.slice(1),
    query: url.searchParams,
    type: request.headers['content-type'] ?? '',
    body: () => readBody(request),
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > maxBodyBytes) throw new Error('the request body is too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
