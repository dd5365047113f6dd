import { openDatabase } from '../app/database.ts';
import type { Config } from '../config/config.ts';
import { connect, type Pool } from '../db/client.ts';
import { databaseLost, isTableMissing } from '../db/database-error.ts';
import { UsageError } from '../errors.ts';
import { createLog } from '../log.ts';

export type DatabaseCommand = {
  config: Config;
  /** Name of the command. */
  name: string;
  /** What is wrong where the database does not have the tables of the command. */
  ifMissing: string;
};

/** Runs a command on the configured database, whose tables a start of the service has prepared. */
export async function runOnDatabase(
  { config, name, ifMissing }: DatabaseCommand,
  run: (sql: Pool) => Promise<void>,
): Promise<0> {
  const database = await openDatabase(config, createLog({ level: 'warn', format: config.logFormat }));
  const sql = connect(database.url, { max: 2, name: `cairn ${name}` });
  try {
    await run(sql);
    return 0;
  } catch (error) {
    if (databaseLost(error)) throw new UsageError('the database cannot be reached', { cause: error });
    if (isTableMissing(error)) throw new UsageError(ifMissing, { cause: error });
    throw error;
  } finally {
    await sql.end({ timeout: 5 });
    await database.stop();
  }
}
