import { ControlError, callDevnet } from './call.ts';

/** A control command of a running devnet: its route, its argument, and what it does. */
type Control = {
  /** Name of the query parameter of the argument; undefined if it takes none. */
  parameter?: string;
  /** True if the argument may not be left out. */
  required?: boolean;
  /** The argument in the help, such as `[N]`. */
  usage: string;
  about: string;
};

/** The control commands with their arguments; each is `POST /devnet/NAME`. */
const controls: Readonly<Record<string, Control>> = {
  mine: { parameter: 'count', usage: '[N]', about: 'mine N blocks now; the first contains all pending transactions' },
  stop: { usage: '', about: 'mine only on command' },
  start: { parameter: 'seconds', usage: '[SECONDS]', about: 'mine a block every SECONDS again' },
  'next-cycle': { usage: '', about: 'mine to the first burn block of the next reward cycle' },
  'burn-height': { parameter: 'to', required: true, usage: 'HEIGHT', about: 'mine until Bitcoin has this height' },
  fork: { parameter: 'count', usage: '[N]', about: 'replace the newest N blocks with another branch' },
  'bitcoin-fork': { parameter: 'count', usage: '[N]', about: 'replace the newest N burn blocks' },
  orphan: {
    parameter: 'what',
    required: true,
    usage: 'WHAT',
    about: 'fork Bitcoin so that the tenure at the tip loses its view, election, both or neither',
  },
  'bitcoin-return': { usage: '', about: 'bring back the Bitcoin branch that the last fork has left' },
  'lose-broadcasts': { parameter: 'count', usage: '[N]', about: 'accept the next N transactions and lose them' },
  drop: { parameter: 'tx', required: true, usage: 'TX_ID', about: 'drop a pending transaction' },
  rpc: {
    parameter: 'delay',
    usage: '[MILLISECONDS]',
    about: 'delay every RPC response by N ms; --fail responds with 500; omit both to clear',
  },
  snapshot: { parameter: 'name', usage: '[NAME]', about: 'remember the present state' },
  reset: { parameter: 'name', usage: '[NAME]', about: 'go back to a remembered state, the index too' },
  miss: { usage: '', about: 'mine a block that is not posted' },
  recover: { usage: '', about: 'post the missed blocks' },
  late: { parameter: 'count', usage: '[N]', about: 'mine a block that is posted N blocks later' },
  duplicate: { parameter: 'count', usage: '[N]', about: 'post the last message N times more' },
  restart: { usage: '', about: 'empty the mempool, and post block 0 again' },
  status: { usage: '', about: 'print the state of the devnet' },
};

/** The lines of the help about control commands. */
export const describeControls = (): string =>
  Object.entries(controls)
    .map(([name, { usage, about }]) => `  ${`${name} ${usage}`.trimEnd().padEnd(27)} ${about}`)
    .join('\n');

export type ControlRequest = {
  url: string;
  name: string;
  argument: string | undefined;
  fail: boolean;
  /** The command line that sends it and the one that starts a devnet, for messages. */
  program: string;
  start: string;
};

/** Sends a control command to a running devnet and resolves with its response. */
export async function control({ url, name, argument, fail, program, start }: ControlRequest): Promise<unknown> {
  const wanted = Object.hasOwn(controls, name) ? controls[name] : undefined;
  if (!wanted) {
    throw new ControlError(`${program} ${name} is not a command: expected one of ${Object.keys(controls).join(', ')}`);
  }
  if (argument === undefined && wanted.required) throw new ControlError(`${program} ${name} expects ${wanted.usage}`);
  if (argument !== undefined && wanted.parameter === undefined) {
    throw new ControlError(`${program} ${name} expects no argument`);
  }
  const query = new URLSearchParams({
    ...(argument !== undefined && { [wanted.parameter!]: argument }),
    ...(fail && { fail: 'true' }),
  });
  const path = name === 'status' ? '/devnet' : `/devnet/${name}?${query}`;
  const { status, text } = await callDevnet(`${url}${path}`, name === 'status' ? 'GET' : 'POST').catch(error => {
    throw new ControlError(`no devnet responds at ${url}: start it with \`${start}\`, or set --url`, { cause: error });
  });
  if (status !== 200) throw new ControlError(`the devnet at ${url} refused: ${status} ${text}`);
  return JSON.parse(text);
}
