import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevnetControl, DevnetStatus, UserAccount } from '@cairn-stacks/devnet';
import { readConfig } from '../config/config.ts';
import { connect } from '../db/client.ts';
import { createLog } from '../log.ts';
import { openTestDatabase } from './test-databases.ts';

export type { DevnetControl, DevnetStatus, UserAccount } from '@cairn-stacks/devnet';

export type StartOptions = {
  /** Seconds between blocks, 0 for as fast as possible. Default: blocks are mined only by `mine` and its like. */
  blockSeconds?: number;
  /** Blocks that are mined before `startDevnet` resolves. Default: 8, enough for the contracts of the residents. */
  blocks?: number;
  /** Private keys or mnemonics of further accounts with STX. */
  accounts?: readonly string[];
  /** Folder that `save` or `cairn devnet save` wrote: the chain continues from there. */
  from?: string;
  /** The same seed gives the same traffic. Default: 1. */
  seed?: number;
  /** Further settings of Cairn by their names, such as `CAIRN_RATE_LIMIT`. */
  settings?: Readonly<Record<string, string>>;
  /** Level of the log on standard output. Default: `silent`. */
  logLevel?: 'silent' | 'error' | 'warn' | 'info' | 'debug';
};

/** A devnet with its index. Commands resolve when the API shows their effect; `reset` takes the index back, too. */
export type Devnet = DevnetControl & {
  /** URL of the API; it also serves the RPC of the node. */
  url: string;
  /** URL of the RPC of the simulated node. */
  nodeUrl: string;
  /** URL where a node posts events. */
  observerUrl: string;
  /** Accounts with STX: two of the devnet, those of Clarinet, and those of the options. */
  accounts: readonly UserAccount[];
  /** The account of a name, such as `account_0`, `deployer`, `wallet_1` or `own_0`. */
  account(name: string): UserAccount;
  /** Writes the chain to a folder, for the option `from`. */
  save(folder: string): Promise<void>;
  /** Resolves when the API shows everything that the node has posted. */
  caughtUp(): Promise<DevnetStatus>;
  stop(): Promise<void>;
};

/** Starts a devnet, its index and the API on free ports of 127.0.0.1, with a database of its own. */
export async function startDevnet(options: StartOptions = {}): Promise<Devnet> {
  const { blockSeconds, blocks = 8, accounts = [], from, seed = 1, settings = {}, logLevel = 'silent' } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-devnet-state-'));
  const ports = ['API', 'OBSERVER', 'METRICS', 'DEVNET'].map(part => [`CAIRN_${part}_PORT`, '0'] as const);
  const { config } = readConfig({
    ...Object.fromEntries(ports),
    CAIRN_DATA_DIR: dataDir,
    CAIRN_DEVNET_SEED: String(seed),
    ...(blockSeconds !== undefined && { CAIRN_DEVNET_BLOCK_SECONDS: String(blockSeconds) }),
    ...(accounts.length > 0 && { CAIRN_DEVNET_ACCOUNTS: accounts.join(',') }),
    ...(from !== undefined && { CAIRN_DEVNET_FROM: from }),
    ...settings,
  });
  const log = createLog({ level: logLevel, format: 'auto' });
  const fail = (error: Error) => {
    throw error;
  };
  // The modules of the service are loaded while PostgreSQL starts.
  const [database, { createApp }, { clarinetAccounts, printedAccounts, readAccounts }, { controlDevnet, sendCommand }] =
    await Promise.all([
      openTestDatabase(message => log.info(message)),
      import('../app/app.ts'),
      import('@cairn-stacks/devnet/residents/user-accounts'),
      import('@cairn-stacks/devnet/control/devnet-control'),
    ]);
  const app = createApp(config, log, fail, {
    database,
    devnet: { paused: blockSeconds === undefined, firstBlocks: blocks, stored: false },
  });
  const stop = async () => {
    await app.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const { addresses, devnet } = await app.start();
    if (!devnet) throw new Error('the devnet does not run: a setting names a node or another network');
    const url = addresses.api!;
    const caughtUp = () => untilCaughtUp(url, devnet.url);
    const control = controlDevnet(async (name, parameters) => {
      await sendCommand(devnet.url, name, parameters);
      return await caughtUp();
    });
    const funded = [...printedAccounts, ...clarinetAccounts, ...(await readAccounts(accounts))];
    // Commands run one after another: this one ends when the first blocks are mined.
    await control.command(blockSeconds === undefined ? 'stop' : 'start');
    return {
      ...control,
      url,
      nodeUrl: devnet.url,
      observerUrl: `http://${addresses.observer}`,
      accounts: funded,
      account(name) {
        const found = funded.find(each => each.name === name);
        if (!found) throw new Error(`there is no account ${name}: there are ${funded.map(a => a.name).join(', ')}`);
        return found;
      },
      async save(folder) {
        const { saveDevnet } = await import('../commands/devnet/save.ts');
        await caughtUp();
        const sql = connect(database.url, { max: 2, name: 'cairn devnet save', readOnly: true });
        const silent = { out: { write() {} } };
        await saveDevnet(sql, devnet.url, folder, silent).finally(() => sql.end({ timeout: 5 }));
      },
      caughtUp,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type IngestStatus = { logged: number; folded: number; halt_reason: string | null };

const patienceMs = 60_000;

/** Waits until the tables contain the whole log and the API shows the tip of the node. */
async function untilCaughtUp(api: string, node: string): Promise<DevnetStatus> {
  const read = async <T>(url: string) => (await (await fetch(url)).json()) as T;
  for (const deadline = Date.now() + patienceMs; ; ) {
    const status = await read<DevnetStatus & { undelivered: number; held_back: number }>(`${node}/devnet`);
    const [shown, ingest] = await Promise.all([
      read<{ chain_tip?: { index_block_hash: string } }>(`${api}/extended`),
      read<IngestStatus>(`${api}/extended/v1/status/ingest`),
    ]);
    const isShown = status.held_back > 0 || shown.chain_tip?.index_block_hash === status.index_block_hash;
    if (status.undelivered === 0 && isShown && ingest.folded === ingest.logged) return status;
    if (ingest.halt_reason !== null) throw new Error(`the index has halted: ${ingest.halt_reason}`);
    if (Date.now() > deadline) throw new Error(`the index does not reach block ${status.height} of the devnet`);
    await sleep(5);
  }
}
