import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { readConfig } from '../config/config.ts';
import type { Pool } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { readMetadataStatus } from '../metadata/metadata-status.ts';
import { requestContract, requestFailed } from '../metadata/refresh.ts';
import { writeTokens } from '../metadata/token-writes.ts';
import type { Command } from './command.ts';
import { runOnDatabase } from './database-command.ts';

export const command: Command = {
  usage: 'status | refresh CONTRACT [TOKEN_NUMBER] | retry',
  flags: { json: { type: 'boolean', about: 'Print the status as JSON.' } },
  positionals: { min: 1, max: 3 },
  async run({ flags, positionals: [action = '', ...rest], env }) {
    const work = actionOf(action, rest, flags.json === true);
    const { config } = readConfig(env);
    return await runOnDatabase(
      {
        config,
        name: 'metadata',
        ifMissing: 'this database has no token metadata: start this version of Cairn with it first',
      },
      async sql => {
        process.stdout.write(`${await work(sql)}\n`);
      },
    );
  },
};

function actionOf(action: string, rest: readonly string[], json: boolean): (sql: Pool) => Promise<string> {
  const [contract, number] = rest;
  if (action === 'status' && rest.length === 0) return sql => showStatus(sql, json);
  if (action === 'retry' && rest.length === 0) {
    return async sql => `${await writeTokens(sql, requestFailed)} tokens with an error will be read again`;
  }
  if (action !== 'refresh' || contract === undefined) {
    throw new UsageError('cairn metadata expects status, refresh CONTRACT [TOKEN_NUMBER], or retry');
  }
  if (!isPrincipal(contract) || !contract.includes('.')) {
    throw new UsageError(`${contract} is not a contract: expected ADDRESS.name`);
  }
  if (number !== undefined && !/^\d{1,39}$/.test(number)) throw new UsageError(`${number} is not a token number`);
  return async sql => {
    const name = principalToBytes(contract);
    const token = number === undefined ? undefined : BigInt(number);
    const tokens = await writeTokens(sql, tx => requestContract(tx, name, token));
    if (tokens === undefined) throw new UsageError(`${contract} is not known as a token contract`);
    if (tokens === 0 && number !== undefined) throw new UsageError(`${contract} has no token ${number}`);
    return `${tokens} tokens of ${contract} will be read again`;
  };
}

async function showStatus(sql: Pool, json: boolean): Promise<string> {
  const status = await readMetadataStatus(sql);
  if (json) return JSON.stringify(status);
  return [
    `searched up to block ${status.height} of ${status.tip}`,
    ...status.contracts.map(row => `${row.class}: ${row.contracts} contracts, ${row.tokens} tokens`),
    ...status.jobs.map(row => `${row.kind} jobs: ${row.due} due, ${row.held} in progress, ${row.waiting} waiting`),
    ...status.errors.map(row => `${row.code}: ${row.tokens} tokens`),
  ].join('\n');
}
