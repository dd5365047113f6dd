import { renderKey } from '../api/keys/admin-routes.ts';
import { readConfig } from '../config/config.ts';
import type { Pool } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { issueKey } from '../http/keys/issue-key.ts';
import { listKeys, revokeKey } from '../http/keys/key-queries.ts';
import { KEY_NAME } from '../http/keys/key-text.ts';
import type { Arguments, Command } from './command.ts';
import { runOnDatabase } from './database-command.ts';

export const command: Command = {
  usage: 'add NAME | list | revoke NAME',
  more: `\`add\` prints the key once; only its hash is stored. Without limits of its own, a key has those of a client without a key.
Keys count only where CAIRN_API_KEYS is optional or required; those with --hooks count for chainhooks everywhere (docs/chainhooks.md).`,
  flags: {
    rate: { type: 'string', value: 'N', about: 'With add: units a second; 0 for no limit.' },
    burst: { type: 'string', value: 'N', about: 'With add: units at once after a pause.' },
    open: { type: 'string', value: 'N', about: 'With add: maximum number of open requests.' },
    hooks: { type: 'boolean', about: 'With add: its owner may have chainhooks.' },
    json: { type: 'boolean', about: 'With list: print one JSON object a line.' },
  },
  positionals: { min: 1, max: 2 },
  async run({ flags, positionals: [action = '', name], env }) {
    checkArguments(action, name, flags);
    const limits = {
      per_second: unitsOf('rate', flags.rate, 0),
      burst: unitsOf('burst', flags.burst, 1),
      max_open: unitsOf('open', flags.open, 1),
    };
    const { config } = readConfig(env);
    return await runOnDatabase(
      { config, name: 'keys', ifMissing: 'this database has no table of keys: start this version of Cairn on it once' },
      async sql => {
        if (action === 'list') await print(sql, flags.json === true);
        else if (action === 'add') await add(sql, name!, limits, flags.hooks === true, config.apiKeys === 'off');
        else if (!(await revokeKey(sql, name!))) throw new UsageError(`there is no key with the name ${name}`);
        else process.stdout.write(`${name} is revoked\n`);
      },
    );
  },
};

function checkArguments(action: string, name: string | undefined, flags: Arguments['flags']): void {
  if (!['add', 'list', 'revoke'].includes(action)) throw new UsageError('cairn keys expects add, list or revoke');
  if ((action === 'list') !== (name === undefined)) {
    throw new UsageError(action === 'list' ? 'cairn keys list expects no name' : `cairn keys ${action} expects NAME`);
  }
  if (name !== undefined && !KEY_NAME.test(name)) {
    throw new UsageError(
      `${name} is not a name of a key: expected 1 to 64 letters, digits, dots, dashes or underscores`,
    );
  }
  const limits = ['rate', 'burst', 'open', 'hooks'].filter(flag => flags[flag] !== undefined);
  if (action !== 'add' && limits.length > 0) throw new UsageError(`--${limits[0]} belongs to cairn keys add`);
}

function unitsOf(flag: string, value: unknown, min: number): number | null {
  if (value === undefined) return null;
  const units = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : -1;
  if (units < min || units > 1_000_000_000)
    throw new UsageError(`--${flag} expects a number from ${min} to 1000000000`);
  return units;
}

async function add(
  sql: Pool,
  name: string,
  limits: Parameters<typeof issueKey>[2],
  hooks: boolean,
  off: boolean,
): Promise<void> {
  const key = await issueKey(sql, name, limits, hooks);
  if (key === undefined) throw new UsageError(`a key with the name ${name} is in use: revoke it first`);
  process.stderr.write('keep this key: it is not stored and cannot be shown again\n');
  if (off)
    process.stderr.write(
      `CAIRN_API_KEYS is off here: services with this setting ignore keys${hooks ? ', except for chainhooks' : ''}\n`,
    );
  process.stdout.write(`${key}\n`);
}

async function print(sql: Pool, json: boolean): Promise<void> {
  const keys = (await listKeys(sql)).map(renderKey);
  if (keys.length === 0 && !json) process.stderr.write('there are no keys\n');
  for (const key of keys) process.stdout.write(`${json ? JSON.stringify(key) : textLine(key)}\n`);
}

const textLine = ({ name, per_second, burst, max_open, hooks, created_at, revoked_at }: ReturnType<typeof renderKey>) =>
  [
    name,
    `rate=${per_second ?? 'default'} burst=${burst ?? 'default'} open=${max_open ?? 'default'}${hooks ? ' hooks' : ''}`,
    `created ${created_at}`,
    revoked_at === null ? 'valid' : `revoked ${revoked_at}`,
  ].join('  ');
