import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { NodeSetting } from '../config/setting.ts';
import { node } from '../config/setting.ts';
import { openSimulation, type Simulation } from '../devnet/simulation.ts';
import { UsageError } from '../errors.ts';
import type { Log } from '../log.ts';

/** Opens the simulated devnet of the service: it posts to the observer and stores its state in the data folder. */
export async function openDevnet(
  config: Config,
  observerPort: number,
  mustResume: boolean,
  log: Log,
): Promise<Simulation> {
  await mkdir(config.dataDir, { recursive: true });
  const isWildcard = ['0.0.0.0', '::'].includes(config.observerHost);
  const options = {
    observer: `http://${isWildcard ? '127.0.0.1' : config.observerHost}:${observerPort}`,
    host: '127.0.0.1',
    port: config.devnetPort,
    blockSeconds: config.devnetBlockSeconds,
    seed: config.devnetSeed,
    file: join(config.dataDir, 'devnet.json'),
    mustResume,
    onFailure: (reason: string) => log.warn(reason),
  };
  try {
    return await openSimulation(options).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      log.warn(`port ${config.devnetPort} is in use: the simulated node takes another port`);
      return openSimulation({ ...options, port: 0 });
    });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** The simulated node as a node of the pool. */
export const devnetNode = (devnet: Simulation): NodeSetting => node.parse(`${devnet.url}|name=devnet|auth=devnet`)!;
