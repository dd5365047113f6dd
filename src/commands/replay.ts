import { describeNetwork, NETWORK_FORMS, type Network, networkOf, parseNetwork } from '@cairn-stacks/codec/network';
import { openDatabase, prepareSchema, untilReachable } from '../app/database.ts';
import { findIdentity, storeIdentity } from '../app/identity.ts';
import { readConfig } from '../config/config.ts';
import { connect, type Pool } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { startFoldThread } from '../ingest/fold/fold-thread.ts';
import { clearHalt } from '../ingest/fold/position.ts';
import { finishBulkLoad } from '../ingest/load/bulk-load.ts';
import { EventLog } from '../ingest/log/event-log.ts';
import { findChainId } from '../ingest/replay/recorded-chain.ts';
import { RecordedFileError } from '../ingest/replay/recorded-lines.ts';
import { LogSink, replayFile } from '../ingest/replay/replay.ts';
import { findMark, identifyFile, type ReplayFile } from '../ingest/replay/replay-mark.ts';
import { createLog } from '../log.ts';
import type { Command } from './command.ts';
import { untilFolded } from './fold-progress.ts';
import { formatCount, Progress } from './progress.ts';

export const command: Command = {
  usage: 'FILE…',
  flags: {
    network: {
      type: 'string',
      value: 'NETWORK',
      about: 'The network of the files, if they do not show it.',
    },
    restart: { type: 'boolean', about: 'Ignore how far files were replayed; only for an empty log.' },
    'log-only': { type: 'boolean', about: 'Only fill the log; a service folds it later.' },
  },
  positionals: { min: 1, max: Number.POSITIVE_INFINITY },
  async run({ flags, positionals, env }) {
    const { config, warnings } = readConfig(env);
    for (const warning of warnings) say(warning);
    const wanted = wantedNetwork(flags.network) ?? config.network;
    const files = await Promise.all(positionals.map(path => orUsage(identifyFile(path))));
    const log = createLog({ level: 'warn', format: config.logFormat });
    const stop = new AbortController();
    const onSignal = () => (stop.signal.aborted ? process.exit(130) : stop.abort());
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    const database = await openDatabase(config, log);
    const sql = connect(database.url, { max: 3, name: 'cairn replay' });
    try {
      await untilReachable(sql, log, () => stop.signal.aborted);
      await prepareSchema(sql, log);
      await checkMarks(sql, flags.restart === true);
      const network = await decideChain(sql, files, wanted);
      await storeIdentity(sql, network, false);
      return await replay({
        sql,
        url: database.url,
        files,
        network,
        memory: config.memory,
        fold: flags['log-only'] !== true,
        signal: stop.signal,
      });
    } finally {
      await sql.end({ timeout: 5 });
      await database.stop();
    }
  },
};

type Replay = {
  sql: Pool;
  url: string;
  files: ReplayFile[];
  network: Network;
  memory: number;
  fold: boolean;
  signal: AbortSignal;
};

async function replay({ sql, url, files, network, memory, fold, signal }: Replay): Promise<number> {
  const log = new EventLog(sql);
  const failed = new AbortController();
  if (fold) await clearHalt(sql);
  const thread = fold ? foldBeside({ url, network, memory }, failed) : undefined;
  const sink = new LogSink(sql, log, thread);
  // A failed fold stops the append too; otherwise the failure would show only after the whole file.
  const either = AbortSignal.any([signal, failed.signal]);
  try {
    for (const file of files) {
      if (either.aborted) break;
      await replayOne(sql, sink, file, either);
    }
    failed.signal.throwIfAborted();
    if (thread && !signal.aborted) await untilFolded(sql, either);
  } finally {
    if (thread) await thread.stop();
    await log.close();
  }
  if (thread && !signal.aborted) {
    // Deferred to the end of a load into an empty database; a start of the service would do the same.
    await finishBulkLoad(sql, { info: (_, message) => say(message), warn: () => {}, error: () => {} }, signal);
  }
  if (!signal.aborted) return 0;
  say('stopped; run the same command again to go on');
  return 130;
}

/** Folds while the log is filled; if a service runs, its fold does the work and this one waits. */
function foldBeside(data: Pick<Replay, 'url' | 'network' | 'memory'>, failed: AbortController) {
  const sayWithReason = (details: { error?: unknown }, message: string) =>
    say(details.error === undefined ? message : `${message} (${details.error})`);
  const log = { info: () => {}, warn: sayWithReason, error: sayWithReason };
  return startFoldThread({ ...data, bulk: true }, log, { onCrash: error => failed.abort(error) });
}

async function replayOne(sql: Pool, sink: LogSink, file: ReplayFile, signal: AbortSignal): Promise<void> {
  const before = await findMark(sql, file);
  if (before.finished) {
    say(`${file.name}: all ${formatCount(before.events)} events are in the log already`);
    return;
  }
  if (before.events > 0) say(`${file.name}: going on after line ${formatCount(before.place.line)}`);
  const progress = new Progress({ label: file.name, unit: 'bytes', total: file.size });
  const onProgress = ({ fileBytes, events }: { fileBytes: number; events: number }) =>
    progress.update(fileBytes, events);
  try {
    await orUsage(replayFile({ sql, file, sink, signal, onProgress }));
  } finally {
    progress.finish();
  }
}

function wantedNetwork(flag: unknown): Network | undefined {
  if (typeof flag !== 'string') return undefined;
  const network = parseNetwork(flag);
  if (!network) throw new UsageError(`--network ${flag} is not understood: expected ${NETWORK_FORMS}`);
  return network;
}

/** Throws if two chains would be mixed; resolves with the network of the files and the database. */
export async function decideChain(sql: Pool, files: ReplayFile[], wanted: Network | undefined): Promise<Network> {
  const stored = await findIdentity(sql);
  if (stored?.simulated) {
    throw new UsageError('this database holds the blocks of the simulated devnet: replay into another database');
  }
  let network = wanted ?? stored?.network;
  if (wanted && stored && wanted.chainId !== stored.network.chainId) {
    throw new UsageError(
      `this database holds ${describeNetwork(stored.network)}, not ${describeNetwork(wanted)}: one database holds one chain`,
    );
  }
  for (const file of files) {
    const chainId = await orUsage(findChainId(file.path));
    if (chainId === undefined && !wanted) {
      throw new UsageError(`${file.path} does not show its network: set --network`);
    }
    if (chainId === undefined) continue;
    network ??= networkOf(chainId);
    if (chainId !== network.chainId) {
      const holder = stored ? 'this database holds' : wanted ? 'asked for was' : 'the files before it are from';
      throw new UsageError(
        `${file.path} is from ${describeNetwork(networkOf(chainId))}, but ${holder} ${describeNetwork(network)}: one database holds one chain`,
      );
    }
  }
  return network!; // There is at least one file, and each has set it or was refused.
}

/** Marks without a log come from a log that was emptied manually. */
async function checkMarks(sql: Pool, restart: boolean): Promise<void> {
  const [row] = await sql<{ empty: boolean; marks: boolean }[]>`
    select last_id = 0 as empty, exists (select from replay_files) as marks from event_log_head
  `;
  if (restart && !row?.empty) {
    throw new UsageError(
      '--restart needs an empty log: the events that are there would come twice. Use another database',
    );
  }
  if (restart) await sql`delete from replay_files`;
  else if (row?.empty && row.marks) {
    throw new UsageError(
      'the log is empty, yet files are marked as replayed: use --restart to replay them from their start',
    );
  }
}

/** Errors in a file are usage errors: one line, no stack trace. */
async function orUsage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RecordedFileError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
