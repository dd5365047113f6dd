import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Environment } from '../config/setting.ts';
import { version } from '../config/version.ts';
import { UsageError } from '../errors.ts';
import type { Command } from './command.ts';

/** Commands are loaded on demand, so that `--help` and `--version` are fast. */
const commands: Record<string, () => Promise<{ command: Command }>> = {
  start: () => import('./start.ts'),
  replay: () => import('./replay.ts'),
  export: () => import('./export.ts'),
  rebuild: () => import('./rebuild.ts'),
  prune: () => import('./prune.ts'),
  snapshot: () => import('./snapshot.ts'),
  skip: () => import('./skip.ts'),
  quarantine: () => import('./quarantine.ts'),
  metadata: () => import('./metadata.ts'),
  keys: () => import('./keys.ts'),
  webhooks: () => import('./webhooks.ts'),
  verify: () => import('./verify.ts'),
  'verify-proof': () => import('./verify-proof.ts'),
  compare: () => import('./compare.ts'),
  'import-names': () => import('./import-names.ts'),
  clusters: () => import('./clusters.ts'),
  devnet: () => import('./devnet.ts'),
  mcp: () => import('./mcp.ts'),
  openapi: () => import('./openapi.ts'),
  routes: () => import('./routes.ts'),
  settings: () => import('./settings.ts'),
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
  if (name === '--help' || name === '-h' || name === 'help') return print(await overview());
  if (name === undefined || name.startsWith('-')) return run('start', [...argv], env);
  if (!Object.hasOwn(commands, name)) {
    throw new UsageError(`${name} is not a command: expected one of ${Object.keys(commands).join(', ')}`);
  }
  return run(name, rest, env);
}

async function run(name: string, args: string[], env: Environment): Promise<number> {
  const { command } = await commands[name]!();
  const options = { ...command.flags, ...help };
  const { values, positionals } = parse(name, args, options);
  if (values.help) return print(describe(name, command));
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

async function overview(): Promise<string> {
  const loaded = Object.entries(commands).map(
    async ([name, load]) => `  ${name.padEnd(13)} ${(await load()).command.about}`,
  );
  return `Cairn ${version}: the indexing API of the Stacks blockchain.

usage: cairn [COMMAND] [--help] [--version]

${(await Promise.all(loaded)).join('\n')}

The default command is \`start\`. \`cairn COMMAND --help\` says more; settings come from the environment (\`cairn settings\`).`;
}

function describe(name: string, command: Command): string {
  const flags = Object.entries({ ...command.flags, ...help }).map(([long, flag]) => {
    const value = 'value' in flag && flag.value ? ` ${flag.value}` : '';
    return `  ${`${flag.short ? `-${flag.short}, ` : ''}--${long}${value}`.padEnd(24)} ${flag.about}`;
  });
  return `usage: cairn ${[name, command.usage, '[flags]'].filter(Boolean).join(' ')}

${[command.about, ...(command.more ? [command.more] : [])].join('\n\n')}

${flags.join('\n')}`;
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}
