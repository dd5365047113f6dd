import { setTimeout as sleep } from 'node:timers/promises';
import type { Network } from '@cairn-stacks/codec/network';
import { type Message, messageText } from '@cairn-stacks/devnet/chain/message-text';
import type { Pool } from '../../src/db/client.ts';
import { Fold } from '../../src/ingest/fold/fold.ts';
import type { FoldOptions } from '../../src/ingest/fold/session.ts';
import { EventLog, type NewEvent } from '../../src/ingest/log/event-log.ts';

export const testNetwork: Network = { name: 'testnet', chainId: 0x8000_0000, mainnet: false };

type Database = { sql: Pool; url: string };

/** A line that a fold logged. */
export type LogLine = { level: 'info' | 'warn' | 'error'; details: object; message: string };

/** An event as the observer appends it, now or at the time `at` of the message; a text is sent as it is. */
export function eventOf(message: Message | { path: string; body: string }): NewEvent {
  const text = typeof message.body === 'string' ? message.body : messageText(message.body);
  const at = 'at' in message && message.at instanceof Date ? message.at : new Date();
  return { path: message.path, source: 'node 127.0.0.1', at, body: Buffer.from(text) };
}

/** Appends messages in order, through the log, and gives the last id. */
export async function append(
  { sql }: Database,
  messages: readonly (Message | { path: string; body: string })[],
): Promise<bigint> {
  const log = new EventLog(sql);
  const ids = await Promise.all(messages.map(message => log.append(eventOf(message))));
  await log.close();
  if (ids.some((id, i) => i > 0 && id !== ids[i - 1]! + 1n)) throw new Error('the log has changed the order');
  return ids.at(-1) ?? (await headOf(sql));
}

/** The last id of the log. */
export async function headOf(sql: Pool): Promise<bigint> {
  const [row] = await sql<{ last_id: bigint }[]>`select last_id from event_log_head`;
  return row!.last_id;
}

export type TestFold = Fold & { lines: LogLine[] };

/** A fold that runs in this process and keeps what it logs. */
export function startFold(
  { url }: Pick<Database, 'url'>,
  options: Partial<Omit<FoldOptions, 'url' | 'log'>> = {},
): TestFold {
  const lines: LogLine[] = [];
  const line = (level: LogLine['level']) => (details: object, message: string) => {
    lines.push({ level, details, message });
  };
  const log = { info: line('info'), warn: line('warn'), error: line('error') };
  const fold = new Fold({ network: testNetwork, ...options, url, log });
  fold.start();
  return Object.assign(fold, { lines });
}

export type PositionRow = {
  event_id: bigint;
  journal_seq: bigint;
  writer: bigint;
  height: number;
  index_hash: Buffer;
  root_mid_chain: boolean;
  provisional: boolean;
  halted_at: bigint | null;
  halt_reason: string | null;
};

export async function positionOf(sql: Pool): Promise<PositionRow> {
  const [row] = await sql<PositionRow[]>`
    select event_id, journal_seq, writer, height, index_hash, root_mid_chain, provisional, halted_at, halt_reason
    from fold_position
  `;
  return row!;
}

/** Waits until a fold has folded an event, or has halted at one. */
export async function folded(sql: Pool, eventId: bigint): Promise<PositionRow> {
  return await until(async () => {
    const position = await positionOf(sql);
    return position.event_id >= eventId || position.halted_at !== null ? position : undefined;
  });
}

/** Appends messages and folds everything in the log, then stops. */
export async function foldAll(
  db: Database,
  messages: readonly (Message | { path: string; body: string })[],
  options: Partial<Omit<FoldOptions, 'url' | 'log'>> = {},
): Promise<PositionRow> {
  const last = await append(db, messages);
  const fold = startFold(db, options);
  try {
    await folded(db.sql, last);
  } catch (error) {
    throw new Error(fold.lines.map(l => `${l.level} ${l.message} ${describe(l.details)}`).join('\n'), { cause: error });
  } finally {
    await fold.stop();
  }
  return await positionOf(db.sql);
}

const describe = (details: object) => (details instanceof Error ? details.stack : JSON.stringify(details));

/** No machine is so busy that a condition takes longer; a test that hangs ends here and says where. */
const generousMs = 240_000;

/** Waits for a condition; undefined and false mean not yet. It looks less often as time passes, to leave the machine to others. */
export async function until<T>(
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = generousMs,
): Promise<T> {
  for (const began = performance.now(); ; ) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    const waitedMs = performance.now() - began;
    if (waitedMs > timeoutMs) throw new Error('the awaited condition did not come true');
    await sleep(Math.min(50, 2 + waitedMs / 20));
  }
}
