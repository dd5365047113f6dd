import { createServer } from 'node:net';
import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { type ListenAddress, listen } from '../listen.ts';

const ASK_MS = 1000;

/** Ends the start with one message that names every port in use, and whether another Cairn has it; one is told at a time otherwise. */
export async function checkPorts(addresses: readonly ListenAddress[]): Promise<void> {
  const problems = await Promise.all(addresses.filter(({ port }) => port !== 0).map(problemOf));
  const told = problems.filter(problem => problem !== undefined);
  if (told.length > 0) throw new UsageError(told.join('\n'));
}

/** The ports that the settings of a role name. */
export function portsOf(config: Config): ListenAddress[] {
  const metrics = { host: config.metricsHost, port: config.metricsPort, portSetting: 'CAIRN_METRICS_PORT' };
  const api = { host: config.apiHost, port: config.apiPort, portSetting: 'CAIRN_API_PORT' };
  const observer = { host: config.observerHost, port: config.observerPort, portSetting: 'CAIRN_OBSERVER_PORT' };
  return [metrics, ...(config.role === 'ingest' ? [] : [api]), ...(config.role === 'api' ? [] : [observer])];
}

/** Why a port cannot be opened; undefined if it can. */
async function problemOf(address: ListenAddress): Promise<string | undefined> {
  const server = createServer();
  try {
    await listen(server, address);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const holder = (await isCairn(address)) ? ' (a Cairn is running there)' : '';
    return message.replace(' is already in use', ` is already in use${holder}`);
  } finally {
    if (server.listening) await new Promise(resolve => server.close(resolve));
  }
}

/** Whether what holds a port responds as the API of this program does. */
async function isCairn({ host, port }: ListenAddress): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  const ask = async (path: string) => {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(ASK_MS) });
    await response.body?.cancel();
    return response;
  };
  try {
    const status = await ask('/extended');
    return status.headers.get('x-api-version')?.startsWith('cairn') === true;
  } catch {
    return false; // what is there speaks no HTTP, or not in time
  }
}
