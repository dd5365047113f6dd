import { openDatabase, prepareSchema, untilReachable } from '../app/database.ts';
import { findIdentity } from '../app/identity.ts';
import { readConfig } from '../config/config.ts';
import { connect } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { freeBytes, rebuild, rebuildBytes } from '../ingest/load/rebuild.ts';
import { createLog } from '../log.ts';
import type { Command } from './command.ts';
import { Progress } from './progress.ts';

export const command: Command = {
  usage: '',
  flags: { yes: { type: 'boolean', short: 'y', about: 'Continue even if the disk seems too small.' } },
  positionals: { min: 0, max: 0 },
  async run({ flags, env }) {
    const { config } = readConfig(env);
    const log = createLog({ level: 'warn', format: config.logFormat });
    const stop = new AbortController();
    const onSignal = () => (stop.signal.aborted ? process.exit(130) : stop.abort());
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    const database = await openDatabase(config, log);
    const sql = connect(database.url, { max: 1, name: 'cairn rebuild' });
    try {
      await untilReachable(sql, log, () => stop.signal.aborted);
      await prepareSchema(sql, log);
      const identity = await findIdentity(sql);
      if (!identity) throw new UsageError('the database is empty: there is nothing to rebuild');
      const needed = await rebuildBytes(sql);
      process.stderr.write(
        `the rebuild needs about ${megabytes(needed)} MB of disk in addition to the tables in use\n`,
      );
      if (database.folder !== undefined && flags.yes !== true) {
        const free = await freeBytes(database.folder);
        if (free < needed * 2n) {
          throw new UsageError(`only ${megabytes(free)} MB are free; free space, or continue with --yes`);
        }
      }
      let progress: Progress | undefined;
      await rebuild({
        url: database.url,
        network: identity.network,
        log: {
          info: () => {},
          warn: (_, message) => process.stderr.write(`cairn: ${message}\n`),
          error: (_, message) => process.stderr.write(`cairn: ${message}\n`),
        },
        onProgress: ({ folded, head }) => {
          progress ??= new Progress({ label: 'rebuilding', unit: 'events', total: Number(head) });
          progress.update(Number(folded), Number(folded));
        },
        signal: stop.signal,
      }).finally(() => progress?.finish());
      if (stop.signal.aborted) {
        process.stderr.write('stopped; the tables in use are as they were\n');
        return 130;
      }
      process.stderr.write('the rebuilt tables are in use\n');
      return 0;
    } finally {
      await sql.end({ timeout: 5 });
      await database.stop();
    }
  },
};

const megabytes = (bytes: bigint) => Number(bytes / 1_000_000n).toLocaleString('en');
