import { openDatabase } from '../app/database.ts';
import { isPrincipal, principalToBytes } from '../codec/address/principal.ts';
import { readConfig } from '../config/config.ts';
import { connect, type Pool } from '../db/client.ts';
import { databaseLost } from '../db/database-error.ts';
import { UsageError } from '../errors.ts';
import { createLog } from '../log.ts';
import { readMetadataStatus } from '../metadata/metadata-status.ts';
import { requestContract, requestFailed } from '../metadata/refresh.ts';
import { writeTokens } from '../metadata/token-writes.ts';
import type { Command } from './command.ts';

export const command: Command = {
  about: 'Show what is known about tokens, or have tokens read again.',
  usage: 'status | refresh CONTRACT [TOKEN_NUMBER] | retry',
  flags: { json: { type: 'boolean', about: 'Print the status as JSON.' } },
  positionals: { min: 1, max: 3 },
  async run({ flags, positionals: [action = '', ...rest], env }) {
    const work = actionOf(action, rest, flags.json === true);
    const { config } = readConfig(env);
    const log = createLog({ level: 'warn', format: config.logFormat });
    const database = await openDatabase(config, log);
    const sql = connect(database.url, { max: 1, name: 'cairn metadata' });
    try {
      process.stdout.write(`${await work(sql)}\n`);
      return 0;
    } catch (error) {
      if (databaseLost(error)) throw new UsageError('the database cannot be reached', { cause: error });
      // undefined_table
      if ((error as { code?: string }).code === '42P01')
        throw new UsageError('this database has no token metadata: start this version of Cairn with it first');
      throw error;
    } finally {
      await sql.end({ timeout: 5 });
      await database.stop();
    }
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
