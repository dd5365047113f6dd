import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Pool } from '../../db/client.ts';
import { UsageError } from '../../errors.ts';
import { EventLog } from '../../ingest/log/event-log.ts';
import { LogSink, replayFile } from '../../ingest/replay/replay.ts';
import { identifyFile } from '../../ingest/replay/replay-mark.ts';
import { stateFile } from './state-file.ts';

/** Fills an empty log with the events of a saved devnet, and stores its state in the data folder, where the devnet resumes. */
export async function loadDevnetSnapshot(sql: Pool, config: Config, folder: string): Promise<void> {
  try {
    await mkdir(config.dataDir, { recursive: true });
    await copyFile(join(folder, 'devnet.json.blocks'), `${stateFile(config)}.blocks`);
    const file = await identifyFile(join(folder, 'events.tsv.gz'));
    const log = new EventLog(sql);
    try {
      await replayFile({ sql, file, sink: new LogSink(sql, log), signal: new AbortController().signal });
    } finally {
      await log.close();
    }
    // Last: with this file and an incomplete log, the devnet would continue a chain that the index does not have.
    await copyFile(join(folder, 'devnet.json'), stateFile(config));
  } catch (error) {
    throw new UsageError(`CAIRN_DEVNET_FROM: ${folder} cannot be loaded: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
