import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { Random } from './codec/random.ts';
import { build, type RunningService, startService } from './support/running-service.ts';
import { until } from './support/service.ts';

beforeAll(build);

const port = (address: string) => Number(address.match(/:(\d+)/)![1]);

const wsHead = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
  `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const network = '"network_identifier":{"blockchain":"stacks","network":"testnet"}';

/** A masked frame of a client. */
function frame(text: string): string {
  return String.fromCharCode(0x81, 0x80 | text.length, 0, 0, 0, 0) + text;
}

/** Requests of every kind that the service offers, and of some that it does not. */
const api = [
  get('/extended/v1/tx?limit=50'),
  get('/extended/v2/blocks?limit=30'),
  get('/extended/v1/search/0x00'),
  get('/extended/v3/transactions?limit=50'),
  get('/docs'),
  get('/openapi.json'),
  get('/v2/info'),
  get('/v2/pox'),
  get('/v2/contracts/interface/ST000000000000000000002AMW42H/pox-4'),
  get('/nowhere'),
  get('/extended/v1/tx/%00'),
  post('/v2/transactions', 'x'.repeat(500)),
  post('/v2/fees/transaction', '{"transaction_payload":"00"}'),
  post('/rosetta/v1/network/list', '{}'),
  post('/rosetta/v1/block', `{${network},"block_identifier":{"index":2}}`),
  post('/rosetta/v1/mempool', `{${network}}`),
  post('/rosetta/v1/construction/preprocess', `{${network},"operations":[]}`),
  post('/extended/v1/tx/multiple?tx_id=0x00', '{}'),
  'POST /v2/transactions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz',
  'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  `${'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'.repeat(20)}`,
  `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
  '\u0000\u0001\u0002 nonsense\r\n\r\n',
  wsHead('/extended/v1/ws'),
  wsHead('/extended/v1/ws') + frame('{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"event":"block"}}'),
  wsHead('/extended/v1/ws') + frame('nonsense').repeat(50),
  `${wsHead('/extended/v1/ws')}\u00ff\u00ff\u00ff`,
  wsHead('/extended/v1/ws', 'Sec-WebSocket-Extensions: permessage-deflate\r\n'),
  wsHead('/socket.iox'),
  wsHead('/socket.io'),
  wsHead('/elsewhere'),
  wsHead('//'),
  wsHead('/socket.io/?EIO=4&transport=websocket'),
  wsHead('/socket.io/?EIO=4&transport=websocket') + frame('40') + frame('42["subscribe","block"]'),
  wsHead('/socket.io/?EIO=4&transport=websocket&sid=constructor'),
  wsHead('/socket.io/?EIO=3&transport=websocket'),
  wsHead('/socket.io/?EIO=4&transport=polling'),
  wsHead('/socket.io/?EIO=4&transport=__proto__'),
  get('/socket.io/?EIO=4&transport=polling'),
  get('/socket.io/?EIO=4&transport=polling&sid=__proto__'),
  get('/socket.io/?EIO=4&transport=toString'),
  get('/socket.io/?EIO=4&transport=polling&j=1'),
  post('/socket.io/?EIO=4&transport=polling&sid=nobody', '40'),
  'GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
];
const observer = [
  get('/'),
  post('/new_mempool_tx', '[]'),
  post('/stackerdb_chunks', '{}'),
  wsHead('/new_block'),
  'POST /new_mempool_tx HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n',
  'POST /new_mempool_tx HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n[]',
  'nonsense\r\n\r\n',
];
const metrics = [get('/metrics'), get('/readyz'), get('/nope'), wsHead('/metrics'), post('/metrics', '{}')];

/** Sends a request, perhaps cut short, and ends the connection in one of several ways at some moment. */
async function attack(random: Random, to: number, text: string): Promise<void> {
  const socket: Socket = connect(to, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  const bytes = Buffer.from(text, 'latin1');
  const cut = random.below(3) === 0 ? random.below(bytes.length) : bytes.length;
  if (random.below(2) === 0) socket.resume();
  // In two parts, so that a reset also comes between them.
  const middle = random.below(cut + 1);
  socket.write(bytes.subarray(0, middle));
  if (random.below(3) === 0) await sleep(random.below(4)); // the second part comes later
  socket.write(bytes.subarray(middle, cut));
  await sleep(random.pick([0, 0, 1, 2, 5, 20])); // the connection ends at some moment of the answer
  const ending = random.below(4);
  if (ending === 0) socket.end();
  if (ending === 1) socket.destroy();
  if (ending >= 2) socket.resetAndDestroy();
  await Promise.race([closed, sleep(50)]);
  socket.destroy();
}

async function attackAll(service: RunningService, seed: number, rounds: number): Promise<void> {
  const { addresses, child } = service;
  const random = new Random(seed);
  const targets = [
    ...api.map(text => ({ to: port(addresses.api!.slice(7)), text })),
    ...observer.map(text => ({ to: port(addresses.observer!), text })),
    ...metrics.map(text => ({ to: port(addresses.metrics!.slice(7)), text })),
  ];
  const work = Array.from({ length: rounds }, (_, i) => targets[i % targets.length]!);
  const worker = async () => {
    for (let next = work.pop(); next && child.exitCode === null; next = work.pop()) {
      await attack(random, next.to, next.text);
    }
  };
  await Promise.all(Array.from({ length: 24 }, worker));
}

test('connections that are reset at any moment, on any path of any port, never end the process', async t => {
  const service = await startService(t, { CAIRN_DEVNET_BLOCK_SECONDS: '1' });
  const { child, addresses } = service;
  await until(async () => ((await (await fetch(`${addresses.api}/extended`)).json()) as Tip).chain_tip?.block_height);
  // Each of these alone has ended it: nobody owned the connection.
  for (const path of ['/socket.iox', '/socket.io', '/socket.io/', '/extended/v1/ws', '/other', '/metrics']) {
    for (const address of [addresses.api!.slice(7), addresses.observer!, addresses.metrics!.slice(7)]) {
      const socket = connect(port(address), '127.0.0.1').on('error', () => {});
      socket.write(wsHead(path));
      await sleep(20); // until the server has made something of it
      socket.resetAndDestroy();
    }
  }
  await attackAll(service, 20, 2_500);
  const answer = await fetch(`${addresses.api}/extended/v1/status/ingest`);
  expect([child.exitCode, answer.status]).toEqual([null, 200]);
  expect(await answer.json()).toMatchObject({ halted_at: null });
  // 50 and more are errors and the end of the process.
  expect(service.lines().filter(({ level }) => level >= 50)).toEqual([]);
  const page = await (await fetch(addresses.metrics!)).text();
  const gauge = (name: string) => Number(page.match(new RegExp(`^${name} (.*)$`, 'm'))?.[1]);
  expect(gauge('cairn_realtime_subscriptions')).toBe(0);
});

type Tip = { chain_tip?: { block_height: number } };
