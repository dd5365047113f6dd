import { readConfig } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { findIngestStatus, skipEvent } from '../read/status/status-queries.ts';
import type { Command } from './command.ts';
import { runOnDatabase } from './database-command.ts';

export const command: Command = {
  usage: 'EVENT_ID --reason TEXT',
  flags: { reason: { type: 'string', value: 'TEXT', about: 'Reason, which is stored with the event.' } },
  positionals: { min: 1, max: 1 },
  async run({ flags, positionals: [id = ''], env }) {
    if (!/^\d{1,18}$/.test(id))
      throw new UsageError(`${id} is not an event id: expected the number from the log of Cairn`);
    const { reason } = flags;
    if (typeof reason !== 'string' || reason.trim() === '') {
      throw new UsageError('cairn skip needs --reason TEXT, which explains the gap later');
    }
    const { config } = readConfig(env);
    return await runOnDatabase(
      { config, name: 'skip', ifMissing: 'this database was never started by Cairn' },
      async sql => {
        if (!(await skipEvent(sql, BigInt(id), reason))) {
          throw new UsageError(`there is no event ${id} in the log`);
        }
        const { haltedAt } = await findIngestStatus(sql);
        const waits =
          haltedAt === Number(id) ? 'the fold waits there and goes on now' : 'the fold has not stopped there';
        process.stdout.write(`event ${id} will be skipped; ${waits}\n`);
      },
    );
  },
};
