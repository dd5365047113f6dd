import { readFile } from 'node:fs/promises';
import type { Network } from '@cairn-stacks/codec/network';
import { findIdentity } from '../app/identity.ts';
import { addPredicate } from '../chainhooks/add-predicate.ts';
import { openPayloads } from '../chainhooks/payloads.ts';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import { PublicError, UsageError } from '../errors.ts';
import { HttpSender } from '../webhooks/http-sender.ts';
import {
  addHook,
  pause,
  type RenderedHook,
  redeliver,
  remove,
  resume,
  showDeliveries,
  showHook,
  showHooks,
  tryHook,
  type WebhookAdmin,
} from '../webhooks/manage.ts';
import { openSecretKeys } from '../webhooks/secret-box.ts';
import type { Arguments, Command } from './command.ts';
import { runOnDatabase } from './database-command.ts';

type HookAdmin = WebhookAdmin & { network: Network | undefined };

type Action = {
  /** Arguments after the name of the action. */
  args: readonly string[];
  flags: readonly string[];
  /** What it does; resolves with the lines to print. */
  run(admin: HookAdmin, args: readonly string[], flags: Arguments['flags']): Promise<string[]>;
};

const FILTERS = ['topics', 'principal', 'contract', 'asset', 'function', 'event-type'] as const;
const LOG_LINES = 100;

const actions: Record<string, Action> = {
  add: {
    args: ['NAME', 'URL'],
    flags: [...FILTERS, 'start', 'secret', 'batch', 'payload', 'chainhook', 'json'],
    async run(admin, [name, url], flags) {
      if (flags.chainhook !== undefined)
        return [lineOf(await addPredicate(admin, admin.network, await readPredicate(flags)), flags)];
      const { secret, ...hook } = await addHook(admin, {
        ...{ name, url, filter: filterOf(flags) },
        ...present({ secret: flags.secret, start: startOf(flags.start) }),
        ...present({ batch: numberOf('batch', flags.batch), payload: numberOf('payload', flags.payload) }),
      });
      if (flags.json) return [JSON.stringify({ ...hook, secret })];
      return [textOf(hook), `secret ${secret}`, 'keep the secret: it is not shown again'];
    },
  },
  list: {
    args: [],
    flags: ['json'],
    async run({ sql }, _args, flags) {
      const hooks = await showHooks(sql);
      if (hooks.length === 0 && !flags.json) return ['there are no webhooks'];
      return hooks.map(hook => (flags.json ? JSON.stringify(hook) : textOf(hook)));
    },
  },
  show: {
    args: ['NAME'],
    flags: [],
    run: async ({ sql }, [name]) => [JSON.stringify(await showHook(sql, name!), null, 2)],
  },
  log: {
    args: ['NAME'],
    flags: ['json'],
    async run({ sql }, [name], flags) {
      const lines = await showDeliveries(sql, name!, LOG_LINES);
      if (flags.json) return lines.map(line => JSON.stringify(line));
      return lines.map(({ at, kind, messages, first_height, last_height, status, error, duration_ms }) => {
        const blocks = first_height === null ? '' : ` of blocks ${first_height} to ${last_height}`;
        const end = error ?? `status ${status}`;
        return `${at}  ${kind}  ${messages} messages${blocks}  ${duration_ms} ms  ${end}`;
      });
    },
  },
  pause: {
    args: ['NAME'],
    flags: [],
    run: async ({ sql }, [name]) => [textOf(await pause(sql, name!))],
  },
  resume: {
    args: ['NAME'],
    flags: ['start'],
    run: async ({ sql, openPayload }, [name], flags) => [
      textOf(await resume(sql, name!, present({ start: startOf(flags.start) }), openPayload)),
    ],
  },
  test: {
    args: ['NAME'],
    flags: [],
    async run(admin, [name]) {
      const { delivered, status, error, duration_ms } = await tryHook(admin, name!);
      if (!delivered) throw new UsageError(`the request did not arrive: ${error}`);
      return [`the receiver responded with status ${status} after ${duration_ms} ms`];
    },
  },
  redeliver: {
    args: ['NAME'],
    flags: ['from', 'to'],
    async run({ sql, openPayload }, [name], flags) {
      const range = { from: numberOf('from', flags.from), to: numberOf('to', flags.to) };
      if (range.from === undefined || range.to === undefined)
        throw new UsageError('cairn webhooks redeliver expects --from HEIGHT and --to HEIGHT');
      const { redelivery } = await redeliver(sql, name!, range, openPayload);
      return [`the blocks ${redelivery?.from} to ${redelivery?.to} are delivered again after what is due`];
    },
  },
  remove: {
    args: ['NAME'],
    flags: [],
    async run({ sql }, [name]) {
      await remove(sql, name!);
      return [`${name} is removed`];
    },
  },
};

export const command: Command = {
  usage:
    'add NAME URL | add --chainhook FILE | list | show NAME | log NAME | pause NAME | resume NAME | test NAME | redeliver NAME | remove NAME',
  more: `\`add\` prints the secret that requests are signed with (Standard Webhooks); it is stored encrypted and cannot be shown again.
\`resume\` continues where the webhook stood, or at --start. \`redeliver\` sends the blocks --from to --to once more.
Processes with CAIRN_ROLE=all or ingest follow within seconds. docs/webhooks.md describes requests, retries and receivers.`,
  flags: {
    topics: { type: 'string', value: 'LIST', about: 'With add: topics of the stream, separated by commas.' },
    principal: { type: 'string', value: 'NAME', about: 'With add: only what touches this account or contract.' },
    contract: { type: 'string', value: 'ID', about: 'With add: only what concerns this contract.' },
    asset: { type: 'string', value: 'ID', about: 'With add: only events of this asset.' },
    function: { type: 'string', value: 'NAME', about: 'With add: only calls of functions with this name.' },
    'event-type': { type: 'string', value: 'LIST', about: 'With add: only events of these types.' },
    start: { type: 'string', value: 'WHERE', about: 'With add, resume: now, a block height, or a position.' },
    secret: { type: 'string', value: 'TEXT', about: 'With add: a secret of your own, whsec_ and base64.' },
    batch: { type: 'string', value: 'N', about: 'With add: most messages of a request, 100 if not given.' },
    payload: { type: 'string', value: 'N', about: 'With add: version of the body; 1 is the only one.' },
    chainhook: {
      type: 'string',
      value: 'FILE',
      about: 'With add: a predicate of Chainhook 1.x, which says everything.',
    },
    from: { type: 'string', value: 'HEIGHT', about: 'With redeliver: the first block.' },
    to: { type: 'string', value: 'HEIGHT', about: 'With redeliver: the last block.' },
    json: { type: 'boolean', about: 'With add, list, log: print one JSON object a line.' },
  },
  positionals: { min: 1, max: 3 },
  async run({ flags, positionals: [name = '', ...args], env }) {
    const action = Object.hasOwn(actions, name) ? actions[name]! : undefined;
    if (!action) throw new UsageError(`cairn webhooks expects one of ${Object.keys(actions).join(', ')}`);
    if (args.length !== (flags.chainhook === undefined ? action.args.length : 0))
      throw new UsageError(
        `cairn webhooks ${name} expects ${(flags.chainhook === undefined && action.args.join(' ')) || 'no further argument'}`,
      );
    const other = Object.keys(flags).find(flag => !action.flags.includes(flag));
    if (other !== undefined) throw new UsageError(`--${other} does not belong to cairn webhooks ${name}`);
    const { config } = readConfig(env);
    return await runOnDatabase(
      {
        config,
        name: 'webhooks',
        ifMissing: 'this database has no table of webhooks: start this version of Cairn on it once',
      },
      async sql => {
        const lines = await withAdmin(config, sql, admin => action.run(admin, args, flags));
        for (const line of lines) process.stdout.write(`${line}\n`);
      },
    );
  },
};

/** What the service refuses is a mistake of the caller here. */
async function withAdmin<T>(
  config: Config,
  sql: WebhookAdmin['sql'],
  work: (admin: HookAdmin) => Promise<T>,
): Promise<T> {
  const http = new HttpSender({ allow: config.webhookAllow });
  try {
    const network = (await findIdentity(sql))?.network;
    const openPayload = openPayloads(sql);
    return await work({ sql, keys: openSecretKeys(config), http, allow: config.webhookAllow, openPayload, network });
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    const { status, message } = error;
    throw status < 500 ? new UsageError(message, { cause: error }) : error;
  } finally {
    await http.close();
  }
}

const present = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** A predicate from the file of the flag, and from nothing else. */
async function readPredicate(flags: Arguments['flags']): Promise<unknown> {
  const other = Object.keys(flags).find(flag => flag !== 'chainhook' && flag !== 'json');
  if (other !== undefined)
    throw new UsageError(`--${other} cannot be used with --chainhook, whose file says everything`);
  const file = String(flags.chainhook);
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JSON: ${(error as Error).message}`, { cause: error });
  }
}

const lineOf = (hook: RenderedHook, { json }: Arguments['flags']) => (json ? JSON.stringify(hook) : textOf(hook));

/** The filter in the form of the admin routes. */
function filterOf(flags: Arguments['flags']): object {
  const listOf = (value: unknown) =>
    typeof value === 'string' ? value.split(',').map(part => part.trim()) : undefined;
  const { principal, contract, asset, function: called } = flags;
  const lists = { topics: listOf(flags.topics), event_type: listOf(flags['event-type']) };
  return present({ ...lists, principal, contract, asset, function: called });
}

const startOf = (value: unknown) => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value);

function numberOf(flag: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^\d{1,10}$/.test(value)) throw new UsageError(`--${flag} expects a number`);
  return Number(value);
}

const textOf = ({ name, url, state, reason, block_height, backlog_blocks, last_error }: RenderedHook): string =>
  [
    ...[name, state, `block ${block_height}`, `${backlog_blocks} to go`, url],
    ...[reason ?? (state === 'failing' ? last_error : null)].filter(text => text !== null),
  ].join('  ');
