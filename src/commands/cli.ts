import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Environment } from '../config/setting.ts';
import { version } from '../config/version.ts';
import { UsageError } from '../errors.ts';
import type { Command } from './command.ts';

/** What each command is for, and its module, which is loaded on demand: `--help` and `--version` load none. */
const commands: Record<string, { about: string; load: () => Promise<{ command: Command }> }> = {
  start: {
    about: 'Run the service: database, observer, fold and API, according to the settings.',
    load: () => import('./start.ts'),
  },
  replay: {
    about:
      'Append recorded events (TSV or TSV.gz) to the log and fold them; run it again to resume after an interruption.',
    load: () => import('./replay.ts'),
  },
  export: {
    about: 'Write the event log to a file that cairn replay reads.',
    load: () => import('./export.ts'),
  },
  rebuild: {
    about: 'Rebuild every table from the log in a separate schema, then swap; a running service is not interrupted.',
    load: () => import('./rebuild.ts'),
  },
  prune: {
    about: 'Export the old part of the event log to a file and remove it from the database.',
    load: () => import('./prune.ts'),
  },
  snapshot: {
    about:
      'Copy all tables to a folder or an S3 bucket while the service runs, or fill an empty database from such a copy.',
    load: () => import('./snapshot.ts'),
  },
  skip: {
    about: 'Make a halted fold skip exactly one event.',
    load: () => import('./skip.ts'),
  },
  quarantine: {
    about: 'List the logged events that cannot be read or do not fit the chain, with reasons; newest first.',
    load: () => import('./quarantine.ts'),
  },
  metadata: {
    about: 'Show what is known about tokens, or have tokens read again.',
    load: () => import('./metadata.ts'),
  },
  keys: {
    about: 'Manage API keys: add, list or revoke. Running services follow within a second.',
    load: () => import('./keys.ts'),
  },
  webhooks: {
    about: 'Manage webhooks: URLs that are called with what happens on the chain.',
    load: () => import('./webhooks.ts'),
  },
  verify: {
    about: 'Check all tables against the accounting rules: links, sums, supply, counters, state hashes.',
    load: () => import('./verify.ts'),
  },
  'verify-proof': {
    about: 'Check a proof that a block holds a transaction.',
    load: () => import('./verify-proof.ts'),
  },
  compare: {
    about: 'Send the same requests about the same heights to this API and another one, and print the differences.',
    load: () => import('./compare.ts'),
  },
  'import-names': {
    about: 'Put names and vesting that the chain began with (Stacks 1.0) into the log; best before the first block.',
    load: () => import('./import-names.ts'),
  },
  clusters: {
    about: 'List the embedded databases that are outside their data folder, or remove one that no data folder uses.',
    load: () => import('./clusters.ts'),
  },
  devnet: {
    about: 'Run only the simulated node, or command a running one.',
    load: () => import('./devnet.ts'),
  },
  mcp: {
    about: 'Serve tools for language models over stdin and stdout (Model Context Protocol), reading a running API.',
    load: () => import('./mcp.ts'),
  },
  openapi: {
    about: 'Print the OpenAPI document of the API.',
    load: () => import('./openapi.ts'),
  },
  routes: {
    about: 'Print every URL of the API and the source file that serves it.',
    load: () => import('./routes.ts'),
  },
  settings: {
    about: 'Print every setting, its default and what it accepts.',
    load: () => import('./settings.ts'),
  },
};

const help = { help: { type: 'boolean', short: 'h', about: 'Print this help.' } } as const;

/** Runs the command that the arguments name and resolves with the exit code; a usage error prints one line. */
export async function runCli(argv: readonly string[], env: Environment): Promise<number> {
  try {
    return await dispatch(argv, env);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    for (const line of error.message.split('\n')) process.stderr.write(`cairn: ${line}\n`);
    return 2;
  }
}

async function dispatch(argv: readonly string[], env: Environment): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v') return print(`cairn ${version}`);
  if (name === '--help' || name === '-h' || name === 'help') return print(overview());
  if (name === undefined || name.startsWith('-')) return run('start', [...argv], env);
  if (!Object.hasOwn(commands, name)) {
    throw new UsageError(`${name} is not a command: expected one of ${Object.keys(commands).join(', ')}`);
  }
  return run(name, rest, env);
}

async function run(name: string, args: string[], env: Environment): Promise<number> {
  const { about, load } = commands[name]!;
  const { command } = await load();
  const options = { ...command.flags, ...help };
  const { values, positionals } = parse(name, args, options);
  if (values.help) return print(describe(name, about, command));
  const { min, max } = command.positionals;
  if (positionals.length < min || positionals.length > max) {
    throw new UsageError(`cairn ${name} expects ${command.usage || 'no arguments'}; see cairn ${name} --help`);
  }
  return command.run({ flags: values, positionals, env });
}

function parse(name: string, args: string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const [reason] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(`cairn ${name}: ${reason}; see cairn ${name} --help`, { cause: error });
  }
}

function overview(): string {
  const lines = Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(13)} ${about}`);
  return `Cairn ${version}: the indexing API of the Stacks blockchain.

usage: cairn [COMMAND] [--help] [--version]

${lines.join('\n')}

The default command is \`start\`. \`cairn COMMAND --help\` says more; settings come from the environment (\`cairn settings\`).`;
}

function describe(name: string, about: string, command: Command): string {
  const flags = Object.entries({ ...command.flags, ...help }).map(([long, flag]) => {
    const value = 'value' in flag && flag.value ? ` ${flag.value}` : '';
    return `  ${`${flag.short ? `-${flag.short}, ` : ''}--${long}${value}`.padEnd(24)} ${flag.about}`;
  });
  return `usage: cairn ${[name, command.usage, '[flags]'].filter(Boolean).join(' ')}

${[about, ...(command.more ? [command.more] : [])].join('\n\n')}

${flags.join('\n')}`;
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}
