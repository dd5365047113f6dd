import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { badRequest, notFound, type RpcResponse, type RpcRoute } from './route.ts';

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
      error => {
        const [status, text] = error instanceof BodyTooLong ? [413, error.message] : [500, 'Internal Server Error'];
        response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text);
      },
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
  const target = request.url ?? '/';
  if (!URL.canParse(target, 'http://node')) return badRequest('The path is not valid');
  const url = new URL(target, 'http://node');
  const path = decoded(url.pathname.replace(/(.)\/+$/, '$1'));
  if (path === undefined) return badRequest('The path has a wrong percent encoding');
  const known = routes.filter(route => route.path.test(path));
  const route = known.find(({ method }) => method === request.method);
  if (!route) return known.length > 0 ? { status: 405, text: 'Method Not Allowed' } : notFound('No such resource');
  return await route.respond({
    params: route.path.exec(path)!.slice(1),
    query: url.searchParams,
    type: request.headers['content-type'] ?? '',
    authorization: request.headers.authorization ?? '',
    body: () => readBody(request),
  });
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** A body beyond the limit of a node. */
class BodyTooLong extends Error {}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > maxBodyBytes) throw new BodyTooLong(`The request body is longer than ${maxBodyBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
