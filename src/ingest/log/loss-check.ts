import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Pool, Sql } from '../../db/client.ts';
import { findSystemIdentifier } from '../../db/system-identifier.ts';
import type { Pause } from '../../pause.ts';
import type { FoldLog } from '../fold/fold-log.ts';
import type { AcknowledgedEvent, AcknowledgedEvents } from './acknowledged-events.ts';
import type { EventLog } from './event-log.ts';

/** How often the server is checked. */
const CHECK_MS = 1000;

export type LossCheckOptions = {
  sql: Pool;
  log: EventLog;
  acknowledged: AcknowledgedEvents;
  logger: FoldLog;
  /** Remembers the last acknowledged event beyond this process. */
  file: string;
  /** Called with the number of events that the log has lost, and of those that were appended again. */
  onLoss: (lost: number, restored: number) => void;
};

/** The last acknowledged event, as the file has it. */
type Mark = { system: string; id: string; hash: string };

/**
 * Notices that the log has lost events that nodes were told are stored, as after the promotion of a standby that had not
 * received them, and appends again what this process still has.
 */
export class LossCheck {
  readonly #options: LossCheckOptions;
  #startedAt: number | undefined;
  /** Undefined before the first check; empty if the role may not read it. */
  #system: string | undefined;
  #failing = false;
  #unwritable = false;
  #marked = '';

  constructor(options: LossCheckOptions) {
    this.#options = options;
  }

  /** Checks until the pause ends. */
  async run(pause: Pause): Promise<void> {
    while (!pause.over) {
      try {
        await this.#check();
        this.#failing = false;
      } catch (error) {
        // The server does not respond, or is not the primary yet: what was lost is found when it does.
        this.#startedAt = undefined;
        if (!this.#failing)
          this.#options.logger.warn({ err: error }, 'cannot check the log for lost events; will retry');
        this.#failing = true;
      }
      await pause.for(CHECK_MS);
    }
  }

  async #check(): Promise<void> {
    const { sql, acknowledged } = this.#options;
    const startedAt = await findStart(sql);
    if (this.#system === undefined) {
      this.#system = (await findSystemIdentifier(sql)) ?? '';
      await this.#checkMark();
    }
    if (this.#startedAt !== startedAt || acknowledged.wentBack) await this.#restore();
    this.#startedAt = startedAt;
    this.#writeMark();
  }

  /** Appends again what is not in the log any more. */
  async #restore(): Promise<void> {
    const { sql, log, acknowledged, logger, onLoss } = this.#options;
    acknowledged.wentBack = false;
    // The numbers of paths and sources may be lost, too.
    log.forgetNames();
    const lost = await listLost(sql, acknowledged.events);
    if (lost.length === 0) return;
    const ids = { from: String(lost[0]!.id), to: String(lost.at(-1)!.id) };
    logger.error(
      { events: lost.length, ...ids },
      'the event log has lost acknowledged events: a standby was promoted that had not received them; appending them again',
    );
    onLoss(lost.length, 0);
    for (const event of lost) {
      await log.append(event);
      acknowledged.remove(new Set([event]));
      onLoss(0, 1);
    }
    logger.info({ events: lost.length }, 'all lost events that this process had acknowledged are in the log again');
  }

  /** An earlier process may have acknowledged an event that the log does not have. */
  async #checkMark(): Promise<void> {
    const { sql, file, logger, onLoss } = this.#options;
    const mark = readMark(file);
    if (!mark || mark.system !== this.#system) return;
    const [row] = await sql<{ last_id: bigint; known: boolean }[]>`
      select
        h.last_id,
        h.pruned_to >= ${mark.id}::bigint
          or exists (select from event_log l where l.id = ${mark.id}::bigint and l.hash = ${Buffer.from(mark.hash, 'hex')})
          as known
      from event_log_head h
    `;
    if (row!.known) return;
    const lost = Math.max(1, Number(BigInt(mark.id) - row!.last_id));
    onLoss(lost, 0);
    logger.error(
      { acknowledged: mark.id, head: String(row!.last_id) },
      'the event log is behind what an earlier process of this data folder has acknowledged: blocks are missing until a node ' +
        'provides them; the healer asks the nodes of CAIRN_NODES, or replay an archive of events',
    );
  }

  #writeMark(): void {
    const { acknowledged, file, logger } = this.#options;
    const { newest } = acknowledged;
    if (!newest) return;
    const mark: Mark = { system: this.#system ?? '', id: String(newest.id), hash: newest.body.hash.toString('hex') };
    const text = JSON.stringify(mark);
    if (text === this.#marked) return;
    this.#marked = text;
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    } catch (error) {
      if (!this.#unwritable)
        logger.warn({ err: error }, `cannot write ${file}: a loss before the next start is not noticed`);
      this.#unwritable = true;
    }
  }
}

async function findStart(sql: Sql): Promise<number> {
  const [row] = await sql<{ started_at: Date }[]>`select pg_postmaster_start_time() as started_at`;
  return row!.started_at.getTime();
}

/** The events that the log does not have, in order. */
export async function listLost(sql: Sql, acknowledged: readonly AcknowledgedEvent[]): Promise<AcknowledgedEvent[]> {
  if (acknowledged.length === 0) return [];
  // More events are acknowledged while the log is read: the response says nothing about them.
  const events = [...acknowledged];
  const ids = `{${events.map(({ id }) => String(id)).join(',')}}`;
  const rows = await sql<{ id: bigint; hash: Buffer }[]>`
    select l.id, l.hash from event_log l where l.id = any(${ids}::int8[])
  `;
  const hashes = new Map(rows.map(({ id, hash }) => [id, hash.toString('hex')]));
  return events.filter(({ id, body }) => hashes.get(id) !== body.hash.toString('hex'));
}

function readMark(file: string): Mark | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const mark = JSON.parse(readFileSync(file, 'utf8')) as Partial<Mark>;
    const valid = typeof mark.system === 'string' && /^\d+$/.test(mark.id ?? '') && /^[0-9a-f]+$/.test(mark.hash ?? '');
    return valid ? (mark as Mark) : undefined;
  } catch {
    // A file that was cut off by a crash says nothing.
    return undefined;
  }
}
