import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

type Ending = { onTestFinished(work: () => Promise<void>): void };
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const json = (response: ServerResponse, body: string | Buffer, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);

/** Writes until the reader leaves, as fast as it reads. */
function pour(response: ServerResponse, chunk: string | Buffer): void {
  const next = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', next);
  };
  next();
}

/** Writes one byte after another until the reader leaves. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
}

const megabyte = 1 << 20;
const spaces = Buffer.alloc(64 * megabyte, ' ');
/** A few kilobytes that become 64 MB. */
const bombs = {
  gzip: gzipSync(spaces),
  br: brotliCompressSync(spaces, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
};

/** Everything that a stranger may serve, by path. */
const answers: Record<string, Answer> = {
  '/fine': response => json(response, '{"name":"fine"}'),
  '/endless': response => {
    response.writeHead(200, { 'content-type': 'application/json' });
    pour(response, `{"name":"${'x'.repeat(60_000)}`);
  },
  '/long': response => json(response, `{"name":"fine","text":"${'x'.repeat(megabyte)}"}`),
  '/long-announced': response => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '999999999' });
    response.write('{');
  },
  '/drip': response => {
    response.writeHead(200, { 'content-type': 'application/json' });
    drip(response);
  },
  '/silent-head': () => {},
  '/silent-body': response => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"name":');
  },
  '/gzip': response => json(response, gzipSync('{"name":"packed"}'), { 'content-encoding': 'gzip' }),
  '/br': response => json(response, brotliCompressSync('{"name":"packed"}'), { 'content-encoding': 'br' }),
  '/gzip-bomb': response => json(response, bombs.gzip, { 'content-encoding': 'gzip' }),
  '/br-bomb': response => json(response, bombs.br, { 'content-encoding': 'br' }),
  '/gzip-cut': response =>
    json(response, gzipSync('{"name":"packed"}').subarray(0, 12), { 'content-encoding': 'gzip' }),
  '/gzip-lie': response => json(response, '{"name":"plain"}', { 'content-encoding': 'gzip' }),
  '/encoding': response => json(response, '{"name":"plain"}', { 'content-encoding': 'zstd' }),
  '/loop': response => void response.writeHead(302, { location: '/loop' }).end(),
  '/nowhere': response => void response.writeHead(302).end(),
  '/html': response => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'),
  '/html-as-json': response => json(response, '  <!doctype html><html></html>'),
  '/picture': response => void response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
  '/types': response => json(response, '{"name":["x"],"image":5,"attributes":"x","properties":7,"description":"d"}'),
  '/array': response => json(response, '[{"name":"x"}]'),
  '/empty': response => json(response, ''),
  '/broken': response => json(response, '{"name":'),
  '/deep': response => json(response, '{"name":"x","a":'.concat('['.repeat(200_000), ']'.repeat(200_000), '}')),
  '/crowded': response => json(response, JSON.stringify({ name: 'x', list: Array(50_000).fill(1) })),
  '/long-name': response => json(response, JSON.stringify({ name: 'x'.repeat(400_000) })),
  '/bidi': response =>
    json(response, JSON.stringify({ name: 'a\u202ecba\u0000', description: '<script>alert(1)</script>' })),
  '/not-utf8': response => json(response, Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0xfe, 0x22])),
  '/limited': response => void response.writeHead(429, { 'retry-after': '120' }).end(),
  '/unavailable': response => void response.writeHead(503).end('busy'),
  '/missing': response => void response.writeHead(404, { 'content-type': 'application/json' }).end('{"name":"x"}'),
  '/reset': response => void response.socket?.resetAndDestroy(),
  '/cut': response => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"name":', () => response.destroy());
  },
  '/headers': response => json(response, '{"name":"x"}', { 'x-long': 'y'.repeat(40_000) }),
  '/garbage': response => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
  '/cookies': response => json(response, '{"name":"x"}', { 'set-cookie': 'a=b' }),
};

/** A server of a stranger, with the requests that reached it. */
export async function startHostileServer(t: Ending, host = '127.0.0.1') {
  const requests: { url: string; headers: IncomingMessage['headers'] }[] = [];
  const own: Record<string, Answer> = {};
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    requests.push({ url, headers: request.headers });
    const [path = ''] = url.split('?');
    const answer = own[path] ?? answers[path];
    if (answer) answer(response, request);
    else response.writeHead(302, { location: decodeURIComponent(path.slice(1)) }).end();
  });
  await new Promise<void>(resolve => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  t.onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  return { port, requests, own };
}
