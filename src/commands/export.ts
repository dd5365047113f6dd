import { createWriteStream } from 'node:fs';
import { access, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { openDatabase, untilReachable } from '../app/database.ts';
import { readConfig } from '../config/config.ts';
import { connect, type Pool } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { eventBatches } from '../ingest/log/event-reader.ts';
import { findPruned, type PrunedEvents } from '../ingest/log/pruned-events.ts';
import { formatRecordedEvent } from '../ingest/replay/recorded-events.ts';
import { bodyWithSource, isNode } from '../ingest/tree/burn-source.ts';
import { createLog } from '../log.ts';
import type { Command } from './command.ts';
import { formatCount, Progress, type ProgressOptions } from './progress.ts';

export const command: Command = {
  usage: '--events FILE',
  flags: {
    events: { type: 'string', value: 'FILE', about: 'Output file (TSV); compressed if the name ends in .gz.' },
    from: { type: 'string', value: 'ID', about: 'First event (default: the first of the log).' },
    to: { type: 'string', value: 'ID', about: 'Last event (default: the last of the log).' },
    partial: {
      type: 'boolean',
      about: 'Export a pruned log without its removed part; such a file is not a full backup.',
    },
    force: { type: 'boolean', about: 'Replace an existing file.' },
  },
  positionals: { min: 0, max: 0 },
  async run({ flags, env }) {
    const file = flags.events;
    if (typeof file !== 'string') throw new UsageError('cairn export needs --events FILE; see cairn export --help');
    const from = parseEventId('from', flags.from) ?? 1n;
    const to = parseEventId('to', flags.to);
    if (flags.force !== true && (await exists(file))) throw new UsageError(`${file} exists; --force replaces it`);
    const { config } = readConfig(env);
    const log = createLog({ level: 'warn', format: config.logFormat });
    const database = await openDatabase(config, log);
    const sql = connect(database.url, { max: 2, name: 'cairn export', readOnly: true });
    try {
      await untilReachable(sql, log, () => false);
      const range = { from, to: await lastEvent(sql, to) };
      const pruned = await findPruned(sql, range);
      if (pruned && flags.partial !== true) throw new UsageError(describePruned(range.from, pruned).join('\n'));
      const events = await exportEvents(sql, file, range);
      if (pruned) for (const line of describePruned(range.from, pruned)) process.stderr.write(`${line}\n`);
      process.stderr.write(`${formatCount(events)} events are in ${file}\n`);
      return 0;
    } finally {
      await sql.end({ timeout: 5 });
      await database.stop();
    }
  },
};

/** Writes events in order of id; the file appears under its name only when it is complete and on disk. */
export async function exportEvents(
  sql: Pool,
  file: string,
  range: { from: bigint; to?: bigint },
  shown: Pick<ProgressOptions, 'out'> = {},
): Promise<number> {
  const to = await lastEvent(sql, range.to);
  const progress = new Progress({
    label: 'exporting',
    unit: 'events',
    total: Math.max(0, Number(to - range.from) + 1),
    ...shown,
  });
  const named = await hasSeveralNodes(sql);
  let events = 0;
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const batch of eventBatches(sql, range.from - 1n, { upTo: to })) {
      for (const event of batch) {
        const body = named ? bodyWithSource(event) : event.body;
        yield formatRecordedEvent({ ...event, at: event.atText, body });
      }
      events += batch.length;
      progress.update(events, events);
    }
  }
  const partial = `${file}.partial`;
  try {
    const out = createWriteStream(partial, { flush: true });
    if (file.endsWith('.gz')) await pipeline(Readable.from(lines()), createGzip(), out);
    else await pipeline(Readable.from(lines()), out);
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  progress.finish();
  return events;
}

/** Whether more than one node has announced burn blocks: which of them did decides where they disagree. */
async function hasSeveralNodes(sql: Pool): Promise<boolean> {
  const sources = await sql<{ source: string }[]>`select s.source from burn_sources s`;
  return sources.filter(({ source }) => isNode(source)).length > 1;
}

/** The last event of the log, or one before it. */
async function lastEvent(sql: Pool, wanted: bigint | undefined): Promise<bigint> {
  const [head] = await sql<{ last_id: bigint }[]>`select last_id from event_log_head`;
  const last = head?.last_id ?? 0n;
  return wanted !== undefined && wanted < last ? wanted : last;
}

/** Describes what an export lacks after the log was pruned, and how to get a full one. */
export function describePruned(from: bigint, { missing, upTo, files }: PrunedEvents): string[] {
  const where = files.map(({ from, to, file, at }) => `events ${from} to ${to} are in ${file} (${at.toISOString()})`);
  const known = where.length > 0 ? where : ['the files were written before Cairn noted where they are'];
  return [
    `not complete: ${formatCount(missing)} of the events ${from} to ${upTo} were pruned from the log`,
    ...known,
    `a full backup is those files and \`cairn export --from ${upTo + 1n}\`; --partial writes what the log still has`,
  ];
}

/** Syncs the folder: before events are pruned, their export must survive a power failure. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

function parseEventId(flag: string, value: unknown): bigint | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^\d{1,18}$/.test(value)) {
    throw new UsageError(`--${flag} ${value} is not an event id: expected a number`);
  }
  return BigInt(value);
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
