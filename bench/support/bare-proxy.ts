// A program of its own: the least that passes requests on to several nodes with undici, to compare with.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, Pool } from 'undici';

const pools = process.argv.slice(2).map(url => new Pool(url, { connections: 128 }));
let next = 0;

const server = createServer(async (request, response) => {
  const { statusCode, headers, body } = await pools[next++ % pools.length]!.request({
    path: request.url ?? '/',
    method: (request.method ?? 'GET') as Dispatcher.HttpMethod,
    headers: { ...(request.headers.accept !== undefined && { accept: request.headers.accept }) },
  });
  response.writeHead(statusCode, headers);
  body.pipe(response);
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
