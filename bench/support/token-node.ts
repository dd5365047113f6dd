// A separate program: a node whose contracts are all collections of as many tokens, each with a URI.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ok, some, stringAscii, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { toHex } from '@cairn-stacks/codec/hex';

const [height, tokens] = process.argv.slice(2).map(Number) as [number, number];
const info = {
  ...{ peer_version: 402653189, pox_consensus: '0'.repeat(40), burn_block_height: 900_000, server_version: 'bench' },
  ...{ network_id: 1, parent_network_id: 3652501241, stacks_tip_height: height, stacks_tip: '0'.repeat(64) },
};
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const result = (value: ClarityValue) => json({ okay: true, result: toHex(encodeClarity(ok(value))) });
const bodies: [path: RegExp, body: Buffer][] = [
  [/^\/v2\/info/, json(info)],
  [/^\/v3\/health/, json({ difference_from_max_peer: 0 })],
  [/get-last-token-id$/, result(uint(tokens))],
  [/get-(name|symbol)$/, result(stringAscii('bench'))],
  [/get-(decimals|total-supply)$/, result(uint(6))],
  [/get-token-uri$/, result(some(stringAscii('https://example.com/tokens/{id}.json')))],
];

const server = createServer((request, response) => {
  request.resume();
  const { url = '' } = request;
  const body = bodies.find(([path]) => path.test(url))?.[1];
  const type = url.startsWith('/v3/blocks/') ? 'application/octet-stream' : 'application/json';
  response.writeHead(200, { 'content-type': type }).end(body);
});
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
process.send!((server.address() as AddressInfo).port);
process.on('disconnect', () => process.exit());
