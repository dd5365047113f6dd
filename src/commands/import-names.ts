import { openDatabase, prepareSchema, untilReachable } from '../app/database.ts';
import { readConfig } from '../config/config.ts';
import { connect, type Pool } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { GenesisFileError, readGenesisFiles } from '../ingest/load/genesis-name-files.ts';
import { genesisNamesPath } from '../ingest/load/genesis-names.ts';
import { EventLog } from '../ingest/log/event-log.ts';
import { createLog } from '../log.ts';
import type { Command } from './command.ts';

export const command: Command = {
  usage: 'FOLDER',
  flags: {},
  positionals: { min: 1, max: 1 },
  async run({ positionals: [folder = ''], env }) {
    const { config } = readConfig(env);
    const log = createLog({ level: 'warn', format: config.logFormat });
    const database = await openDatabase(config, log);
    const sql = connect(database.url, { max: 2, name: 'cairn import-names' });
    try {
      await untilReachable(sql, log, () => false);
      await prepareSchema(sql, log);
      return await importNames(sql, folder);
    } catch (error) {
      if (error instanceof GenesisFileError) throw new UsageError(error.message, { cause: error });
      throw error;
    } finally {
      await sql.end({ timeout: 5 });
      await database.stop();
    }
  },
};

/** Appends every part; the fold takes them up when a service runs. */
async function importNames(sql: Pool, folder: string): Promise<number> {
  const events = new EventLog(sql);
  let parts = 0;
  let refused = 0;
  const onRefused = (line: string) => {
    if (refused++ < 10) process.stderr.write(`left out, for it cannot be right: ${line.slice(0, 120)}\n`);
  };
  try {
    for await (const part of readGenesisFiles(folder, onRefused)) {
      const body = Buffer.from(JSON.stringify(part));
      await events.append({ path: genesisNamesPath, source: 'operator', at: new Date(), body });
      parts++;
    }
  } finally {
    await events.close();
  }
  process.stdout.write(`${parts} parts are in the log, ${refused} lines were left out; a running service folds them\n`);
  return 0;
}
