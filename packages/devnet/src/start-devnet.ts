import { controlDevnet, type DevnetControl, sendCommand } from './control/devnet-control.ts';
import { readAccounts, type UserAccount } from './residents/user-accounts.ts';
import { openSimulation } from './simulation.ts';

export type DevnetOptions = {
  /** URL of the observer that gets the events, such as http://127.0.0.1:3700. Default: events are not posted. */
  observer?: string;
  /** Address and port of the RPC. Default: a free port of 127.0.0.1. */
  host?: string;
  port?: number;
  /** Seconds between blocks, 0 for as fast as possible. Default: blocks are mined only by `mine` and its like. */
  blockSeconds?: number;
  /** Blocks that are mined before `startDevnet` resolves. Default: 8, enough for the contracts of the residents. */
  blocks?: number;
  /** Private keys or mnemonics of further accounts with STX. */
  accounts?: readonly string[];
  /** The same seed gives the same traffic. Default: 1. */
  seed?: number;
  /** File of the chain state, from which the next start continues. Default: a new chain at every start. */
  state?: string;
  /** Called with the reason when the observer does not accept a message; the devnet repeats the message. */
  onFailure?: (reason: string) => void;
};

/** A running simulated node. Its commands resolve when the observer, if there is one, has accepted every message. */
export type Devnet = DevnetControl & {
  /** URL of the RPC. */
  url: string;
  /** Accounts with STX: two of the devnet, those of Clarinet, and those of the options. */
  accounts: readonly UserAccount[];
  /** Ends the node; with `state`, the chain is stored. */
  stop(): Promise<void>;
};

/** Starts a simulated Stacks node: it mines, serves its RPC, and posts its events to an observer. */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const { observer, host = '127.0.0.1', port = 0, blockSeconds, blocks = 8, accounts = [], seed = 1, state } = options;
  const simulation = await openSimulation({
    observer: observer?.replace(/\/+$/, ''),
    host,
    port,
    blockSeconds: blockSeconds ?? 0,
    paused: blockSeconds === undefined,
    firstBlocks: blocks,
    seed,
    accounts: await readAccounts(accounts),
    ...(state !== undefined && { file: state }),
    ...(options.onFailure && { onFailure: options.onFailure }),
  });
  simulation.run();
  const control = controlDevnet((name, parameters) => sendCommand(simulation.url, name, parameters));
  // Commands run one after another: this one ends when the first blocks are mined.
  await control.command(blockSeconds === undefined ? 'stop' : 'start');
  return { ...control, url: simulation.url, accounts: simulation.userAccounts, stop: () => simulation.stop() };
}
