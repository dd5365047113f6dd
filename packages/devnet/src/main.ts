#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ControlError } from './control/call.ts';
import { control, describeControls } from './control/commands.ts';
import { startDevnet } from './start-devnet.ts';

const defaultPort = 3998;

const usage = `usage: cairn-devnet [--observer URL] [--port PORT] [--block-seconds N] [--seed N] [--state FILE] [--accounts KEYS]
       cairn-devnet COMMAND [ARGUMENT] [--url URL] [--fail]

Runs a simulated Stacks node, or sends a command to a running one:

${describeControls()}

  --observer URL       where events are posted, such as http://127.0.0.1:3700 (default: nowhere)
  --port PORT          port of the RPC on 127.0.0.1 (default: ${defaultPort})
  --block-seconds N    seconds between blocks (default: 10)
  --seed N             the same seed gives the same traffic (default: 1)
  --state FILE         stores the chain, and continues it at the next start
  --accounts KEYS      private keys or mnemonics that get STX, separated by commas
  --url URL            RPC of the devnet that a command is for (default: http://127.0.0.1:${defaultPort})
  --fail               with the command rpc: respond with 500`;

const options = {
  observer: { type: 'string' },
  port: { type: 'string', default: String(defaultPort) },
  'block-seconds': { type: 'string', default: '10' },
  seed: { type: 'string', default: '1' },
  state: { type: 'string' },
  accounts: { type: 'string' },
  url: { type: 'string', default: `http://127.0.0.1:${defaultPort}` },
  fail: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const;

/** Reads a whole number from a flag; throws an error that names the flag and its bounds. */
function wholeNumber(flag: string, text: string, max: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= max)) throw new ControlError(`--${flag} ${text}: expected a whole number from 0 to ${max}`);
  return number;
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return console.log(usage);
  if (values.version) {
    const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    return console.log((JSON.parse(manifest) as { version: string }).version);
  }
  const [name, argument, ...rest] = positionals;
  if (rest.length > 0) throw new ControlError('expected at most a command and its argument; see cairn-devnet --help');
  if (name !== undefined) {
    const url = values.url.replace(/\/+$/, '');
    const programs = { program: 'cairn-devnet', start: 'cairn-devnet' };
    return console.log(
      JSON.stringify(await control({ url, name, argument, fail: values.fail, ...programs }), undefined, 2),
    );
  }
  await runUntilSignal(values);
}

type Flags = {
  observer?: string;
  state?: string;
  accounts?: string;
  port: string;
  'block-seconds': string;
  seed: string;
};

async function runUntilSignal({ observer, state, accounts, ...flags }: Flags): Promise<void> {
  if (observer !== undefined && !URL.canParse(observer))
    throw new ControlError(`--observer ${observer}: expected a URL such as http://127.0.0.1:3700`);
  const devnet = await startDevnet({
    ...(observer !== undefined && { observer }),
    ...(state !== undefined && { state }),
    ...(accounts !== undefined && { accounts: accounts.split(',').map(each => each.trim()) }),
    port: wholeNumber('port', flags.port, 65_535),
    blockSeconds: wholeNumber('block-seconds', flags['block-seconds'], 86_400),
    seed: wholeNumber('seed', flags.seed, 2 ** 31),
    onFailure: reason => console.error(`cairn-devnet: ${reason}`),
  });
  console.log(`A simulated Stacks node runs at ${devnet.url}/v2/info. Accounts with STX:\n`);
  for (const each of devnet.accounts) console.log(`  ${each.name.padEnd(10)} ${each.address}  ${each.privateKey}`);
  await new Promise<void>(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await devnet.stop();
}

/** What a user can mend is printed without a stack. */
const isExpected = (error: unknown) =>
  error instanceof ControlError ||
  ['CodecError'].includes((error as Error).name) ||
  String((error as NodeJS.ErrnoException).code ?? '').match(/^(ERR_PARSE_ARGS|EADDRINUSE|EACCES)/) !== null;

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(isExpected(error) ? `cairn-devnet: ${(error as Error).message}` : error);
  process.exitCode = 2;
}
