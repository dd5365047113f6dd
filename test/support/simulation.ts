import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSimulation, type Simulation, type SimulationOptions } from '@cairn-stacks/devnet/simulation';

type Ending = { onTestFinished(work: () => unknown): void };

/** A message as it was posted. */
export type Posted = { path: string; body: Buffer };

/** An observer that keeps what it gets, hands it on, and fails as often as it is told. */
export async function startObserver(
  t: Ending,
  { failures = 0, take }: { failures?: number; take?: (message: Posted) => Promise<unknown> } = {},
) {
  const received: Posted[] = [];
  let left = failures;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (left-- > 0) return void response.writeHead(500).end();
    const message = { path: request.url!, body: Buffer.concat(pieces) };
    received.push(message);
    await take?.(message);
    response.end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** A devnet that has mined its first blocks and mines further ones only when told; unsigned unless asked. */
export async function startSimulation(t: Ending, options: Partial<SimulationOptions>): Promise<Simulation> {
  const devnet = await openSimulation({
    ...{ observer: undefined, host: '127.0.0.1', port: 0, blockSeconds: 3600, seed: 1, sign: false, firstBlocks: 6 },
    ...options,
  });
  t.onTestFinished(() => devnet.stop());
  devnet.run();
  await devnet.exclusively(async () => {});
  return devnet;
}

/** A control command of the devnet. */
export async function command(devnet: Simulation, name: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${devnet.url}/devnet/${name}`, { method: 'POST' });
  if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
