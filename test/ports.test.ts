import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { checkPorts } from '../src/app/port-check.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

async function hold(t: Ending, server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(async () => void (await new Promise(resolve => server.close(resolve))));
  return (server.address() as AddressInfo).port;
}

const address = (port: number, portSetting: string) => ({ host: '127.0.0.1', port, portSetting });

test('all ports in use are told at once, and which of them another Cairn has', async t => {
  const other = await hold(
    t,
    createServer(socket => socket.destroy()),
  );
  const cairn = await hold(
    t,
    createHttpServer((_request, response) => response.setHeader('x-api-version', 'cairn v1').end()),
  );
  const check = checkPorts([address(other, 'CAIRN_A'), address(0, 'CAIRN_B'), address(cairn, 'CAIRN_C')]);
  await expect(check).rejects.toThrow(
    `127.0.0.1:${other} is already in use: set CAIRN_A to another port\n` +
      `127.0.0.1:${cairn} is already in use (a Cairn is running there): set CAIRN_C to another port`,
  );
});

test('free ports are left free, and one that does not respond is in use', async t => {
  // It reads and never responds.
  const port = await hold(
    t,
    createServer(socket => socket.on('error', () => {}).resume()),
  );
  await expect(checkPorts([address(0, 'CAIRN_A')])).resolves.toBeUndefined();
  await expect(checkPorts([address(port, 'CAIRN_A')])).rejects.toThrow(/already in use: set CAIRN_A/);
});
