import { mkdir } from 'node:fs/promises';
import { sbtcDeployer } from '@cairn-stacks/devnet/contracts/sbtc/sbtc-address';
import { faucetAccount, readAccounts, type UserAccount } from '@cairn-stacks/devnet/residents/user-accounts';
import { openSimulation, type Simulation, type SimulationOptions } from '@cairn-stacks/devnet/simulation';
import type { Config } from '../../config/config.ts';
import type { NodeSetting } from '../../config/setting.ts';
import { node } from '../../config/setting.ts';
import { UsageError } from '../../errors.ts';
import type { DevnetFaucet } from '../faucets.ts';
import type { Ingest } from '../ingest.ts';
import type { Start } from '../start.ts';
import { stateFile } from './state-file.ts';

/** The simulated node and its funded accounts for the user. */
export type RunningDevnet = {
  url: string;
  /** Two accounts with keys that are the same in every devnet. */
  accounts: readonly UserAccount[];
  /** Addresses of `CAIRN_DEVNET_ACCOUNTS`. */
  own: readonly string[];
};

export const describeDevnet = ({ url, userKeys, options }: Simulation): RunningDevnet => ({
  url,
  accounts: userKeys,
  own: (options.accounts ?? []).map(({ address }) => address),
});

/** Options that only a program gives, such as the test helper of the package. */
export type DevnetOptions = Pick<SimulationOptions, 'paused' | 'firstBlocks'> & {
  /** False stores no state in the data folder. */
  stored?: boolean;
};

/** Starts the simulated devnet of the service: it posts to the observer and stores its state in the data folder. */
export async function startDevnet(
  { config, log: serviceLog, progress }: Start,
  { observer, empty }: Ingest,
  { stored = true, ...more }: DevnetOptions = {},
): Promise<Simulation> {
  progress.next('starting the devnet');
  const log = serviceLog.child({ part: 'devnet' });
  const mustResume = !empty || config.devnetFrom !== undefined;
  await mkdir(config.dataDir, { recursive: true });
  const isWildcard = ['0.0.0.0', '::'].includes(config.observerHost);
  const options: SimulationOptions = {
    observer: `http://${isWildcard ? '127.0.0.1' : config.observerHost}:${observer.port}`,
    host: '127.0.0.1',
    port: config.devnetPort,
    blockSeconds: config.devnetBlockSeconds,
    seed: config.devnetSeed,
    mustResume,
    accounts: await readDevnetAccounts(config),
    onFailure: (reason: string) => log.warn(reason),
    ...((stored || mustResume) && { file: stateFile(config) }),
    ...more,
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

/** The accounts of `CAIRN_DEVNET_ACCOUNTS`. */
export async function readDevnetAccounts({ devnetAccounts }: Config): Promise<UserAccount[]> {
  try {
    return await readAccounts(devnetAccounts);
  } catch (error) {
    throw new UsageError(`CAIRN_DEVNET_ACCOUNTS: ${(error as Error).message}`, { cause: error });
  }
}

/** The faucet account of the devnet. */
export const devnetFaucet: DevnetFaucet = {
  privateKey: faucetAccount.privateKey,
  sbtcContract: `${sbtcDeployer(false)}.sbtc-token`,
};

/** The simulated node as a node of the pool. */
export const devnetNode = (devnet: Simulation): NodeSetting => node.parse(`${devnet.url}|name=devnet|auth=devnet`)!;
