// A separate program: several nodes that respond fast, or not at all after a command to hang.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const count = Number(process.argv[2]);
const info = {
  ...{ peer_version: 402653189, pox_consensus: '0'.repeat(40), burn_block_height: 900_000 },
  ...{ stable_pox_consensus: '0'.repeat(40), stable_burn_block_height: 899_999, server_version: 'bench' },
  ...{ network_id: 1, parent_network_id: 3652501241, stacks_tip_height: 1, stacks_tip: '0'.repeat(64) },
  ...{ stacks_tip_consensus_hash: '0'.repeat(40), unanchored_tip: '0'.repeat(64), exit_at_block_height: null },
};
const account = {
  ...{ balance: '0x0000000000000000000000003b9aca00', locked: '0x00000000000000000000000000000000' },
  ...{ unlock_height: 0, nonce: 7 },
};
const bodies = new Map(
  Object.entries({ '/v2/info': info, '/v3/health': { difference_from_max_peer: 0 } }).map(([path, value]) => [
    path,
    Buffer.from(JSON.stringify(value)),
  ]),
);
const other = Buffer.from(JSON.stringify(account));

let hanging = -1;
let delayMs = 0;
process.on('message', (orders: { hanging: number; delayMs: number }) => {
  ({ hanging, delayMs } = orders);
  process.send!('done');
});

const ports = await Promise.all(
  Array.from({ length: count }, async (_, index) => {
    const server = createServer((request, response) => {
      request.resume();
      if (index === hanging) return;
      const body = bodies.get(request.url ?? '') ?? other;
      const answer = () => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
        response.end(body);
      };
      if (delayMs > 0) setTimeout(answer, delayMs);
      else answer();
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }),
);
process.send!(ports);
process.on('disconnect', () => process.exit());
