import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openDatabase, prepareSchema, untilReachable } from '../app/database.ts';
import { readConfig } from '../config/config.ts';
import { connect } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { prunableTo, pruneLog } from '../ingest/log/log-retention.ts';
import { recordPruneRun } from '../ingest/log/pruned-events.ts';
import { createLog } from '../log.ts';
import type { Command } from './command.ts';
import { exportEvents } from './export.ts';
import { formatCount } from './progress.ts';

const minBlocks = 100;

export const command: Command = {
  usage: '--keep-blocks N --events FILE',
  flags: {
    'keep-blocks': {
      type: 'string',
      value: 'N',
      about: `Number of blocks below the tip whose events stay in the log (at least ${minBlocks}).`,
    },
    events: {
      type: 'string',
      value: 'FILE',
      about: 'Output file of the removed events (TSV). Keep it: a rebuild needs it.',
    },
  },
  positionals: { min: 0, max: 0 },
  async run({ flags, env }) {
    const keep = Number(flags['keep-blocks']);
    if (!Number.isSafeInteger(keep) || keep < minBlocks) {
      throw new UsageError(`cairn prune needs --keep-blocks N, at least ${minBlocks}: a fork may be that deep`);
    }
    const file = flags.events;
    if (typeof file !== 'string')
      throw new UsageError('cairn prune needs --events FILE: events are exported before they are removed');
    if (await stat(file).catch(() => undefined)) throw new UsageError(`${file} exists: name another file`);
    const { config } = readConfig(env);
    const log = createLog({ level: 'warn', format: config.logFormat });
    const database = await openDatabase(config, log);
    const sql = connect(database.url, { max: 2, name: 'cairn prune' });
    try {
      await untilReachable(sql, log, () => false);
      await prepareSchema(sql, log);
      const to = await prunableTo(sql, keep);
      if (to === undefined) {
        process.stderr.write('there is nothing to prune\n');
        return 0;
      }
      const [head] = await sql<{ pruned_to: bigint }[]>`select pruned_to from event_log_head`;
      const range = { from: head!.pruned_to + 1n, to };
      const exported = await exportEvents(sql, file, range);
      await recordPruneRun(sql, { ...range, file: resolve(file) });
      const removed = await pruneLog(sql, to);
      process.stderr.write(
        `${formatCount(exported)} events are in ${file}; ${formatCount(removed)} were removed, those that orphans need stayed\n`,
      );
      return 0;
    } finally {
      await sql.end({ timeout: 5 });
      await database.stop();
    }
  },
};
