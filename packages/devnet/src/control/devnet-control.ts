import { ControlError, callDevnet } from './call.ts';

/** The state of the devnet after a command. */
export type DevnetStatus = {
  height: number;
  index_block_hash: string;
  burn_block_height: number;
  reward_cycle: number;
  /** Number of pending transactions. */
  mempool: number;
};

export type CommandParameters = Readonly<Record<string, string | number | boolean>>;

/** Commands of a running devnet. */
export type DevnetControl = {
  /** Mines blocks; the first one contains all pending transactions that are valid. Default: 1. */
  mine(count?: number): Promise<DevnetStatus>;
  /** Mines to the first burn block of the next reward cycle. */
  nextCycle(): Promise<DevnetStatus>;
  /** Mines until Bitcoin has a height. */
  burnHeight(height: number): Promise<DevnetStatus>;
  /** Replaces the newest blocks with a branch that is one block longer. */
  fork(depth: number): Promise<DevnetStatus>;
  /** Remembers the present state under a name. */
  snapshot(name?: string): Promise<DevnetStatus>;
  /** Goes back to a remembered state. */
  reset(name?: string): Promise<DevnetStatus>;
  /** Drops a pending transaction. */
  drop(txId: string): Promise<DevnetStatus>;
  /** Sends any control command; docs/devnet.md lists them. */
  command(name: string, parameters?: CommandParameters): Promise<DevnetStatus>;
};

/** The commands by their names, each sent by `command`. */
export const controlDevnet = (command: DevnetControl['command']): DevnetControl => ({
  mine: (count = 1) => command('mine', { count }),
  nextCycle: () => command('next-cycle'),
  burnHeight: to => command('burn-height', { to }),
  fork: depth => command('fork', { count: depth }),
  snapshot: (name = 'default') => command('snapshot', { name }),
  reset: (name = 'default') => command('reset', { name }),
  drop: tx => command('drop', { tx }),
  command,
});

/** Sends a command to the devnet at a URL; rejects with a ControlError if the devnet refuses. */
export async function sendCommand(
  url: string,
  name: string,
  parameters: CommandParameters = {},
): Promise<DevnetStatus> {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const { status, text } = await callDevnet(`${url}/devnet/${name}?${query}`);
  if (status !== 200) throw new ControlError(`devnet ${name}: ${status} ${text}`);
  return JSON.parse(text) as DevnetStatus;
}
