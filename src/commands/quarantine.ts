import { readConfig } from '../config/config.ts';
import type { Pool } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { EventLog } from '../ingest/log/event-log.ts';
import { eventById } from '../ingest/log/event-reader.ts';
import { isQuarantined, listQuarantined, type QuarantinedEvent } from '../read/status/quarantine-queries.ts';
import type { Command } from './command.ts';
import { runOnDatabase } from './database-command.ts';

const MAX_SHOWN = 1_000;

export const command: Command = {
  usage: '',
  flags: {
    json: { type: 'boolean', about: 'Print one JSON object a line.' },
    limit: { type: 'string', value: 'N', about: `Maximum number of events (default ${MAX_SHOWN}).` },
    again: {
      type: 'string',
      value: 'EVENT_ID',
      about: 'Append this event to the log again, so that the fold retries it, for example after an update.',
    },
  },
  positionals: { min: 0, max: 0 },
  async run({ flags, env }) {
    const limit = numberOf('limit', flags.limit) ?? BigInt(MAX_SHOWN);
    const again = numberOf('again', flags.again);
    const { config } = readConfig(env);
    return await runOnDatabase(
      { config, name: 'quarantine', ifMissing: 'this database was never started by Cairn' },
      async sql => {
        if (again !== undefined) await appendAgain(sql, again);
        else await print(sql, Number(limit), flags.json === true);
      },
    );
  },
};

function numberOf(flag: string, value: unknown): bigint | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) throw new UsageError(`--${flag} expects a number`);
  return BigInt(value);
}

async function print(sql: Pool, limit: number, json: boolean): Promise<void> {
  const events = await listQuarantined(sql, limit);
  if (events.length === 0 && !json) process.stderr.write('no event is quarantined\n');
  for (const event of events) process.stdout.write(`${json ? jsonLine(event) : textLine(event)}\n`);
}

const jsonLine = ({ event_id, at, path, source, size, reason }: QuarantinedEvent): string =>
  JSON.stringify({ event_id: Number(event_id), at: at.toISOString(), path, source, size, reason });

const textLine = ({ event_id, at, path, source, size, reason }: QuarantinedEvent): string =>
  `${event_id}  ${at.toISOString()}  ${path ?? 'pruned'}  ${source ?? ''}  ${size ?? 0} bytes  ${reason}`;

/** The log is append-only: the event is added again, as if its node had repeated it. */
async function appendAgain(sql: Pool, eventId: bigint): Promise<void> {
  if (!(await isQuarantined(sql, eventId))) throw new UsageError(`event ${eventId} is not quarantined`);
  const event = await eventById(sql, eventId);
  if (!event) throw new UsageError(`event ${eventId} is no longer in the log`);
  const log = new EventLog(sql);
  const { path, source, body } = event;
  const id = await log.append({ path, source, at: new Date(), body });
  await log.close();
  process.stdout.write(`event ${eventId} is in the log again as event ${id}\n`);
}
