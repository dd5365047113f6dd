import { openDatabase } from '../app/database.ts';
import { readConfig } from '../config/config.ts';
import { connect } from '../db/client.ts';
import { databaseLost } from '../db/database-error.ts';
import { UsageError } from '../errors.ts';
import { createLog } from '../log.ts';
import { findIngestStatus, skipEvent } from '../read/status/status-queries.ts';
import type { Command } from './command.ts';

export const command: Command = {
  about: 'Make a halted fold skip exactly one event.',
  usage: 'EVENT_ID --reason TEXT',
  flags: { reason: { type: 'string', value: 'TEXT', about: 'Reason, which is stored with the event.' } },
  positionals: { min: 1, max: 1 },
  async run({ flags, positionals: [id = ''], env }) {
    if (!/^\d{1,18}$/.test(id))
      throw new UsageError(`${id} is not an event id: expected the number from the log of Cairn`);
    if (typeof flags.reason !== 'string' || flags.reason.trim() === '') {
      throw new UsageError('cairn skip needs --reason TEXT, which explains the gap later');
    }
    const { config } = readConfig(env);
    const log = createLog({ level: 'warn', format: config.logFormat });
    const database = await openDatabase(config, log);
    const sql = connect(database.url, { max: 1, name: 'cairn skip' });
    try {
      if (!(await skipEvent(sql, BigInt(id), flags.reason))) {
        throw new UsageError(`there is no event ${id} in the log`);
      }
      const { haltedAt } = await findIngestStatus(sql);
      const waits = haltedAt === Number(id) ? 'the fold waits there and goes on now' : 'the fold has not stopped there';
      process.stdout.write(`event ${id} will be skipped; ${waits}\n`);
      return 0;
    } catch (error) {
      if (databaseLost(error)) throw new UsageError('the database cannot be reached', { cause: error });
      // undefined_table
      if ((error as { code?: string }).code === '42P01')
        throw new UsageError('this database was never started by Cairn');
      throw error;
    } finally {
      await sql.end({ timeout: 5 });
      await database.stop();
    }
  },
};
