import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { recordedEvents, recordings } from '../support/recordings.ts';

/** All distinct raw transactions (with their ids where recorded) and Clarity values of the recordings, as hex. */
export type Recorded = { transactions: Map<string, string | undefined>; values: Set<string> };

/** Reads every recording. */
export function readDatasets(): Recorded {
  const recorded: Recorded = { transactions: new Map(), values: new Set() };
  for (const { path, payload } of readEvents()) collect(recorded, path, payload);
  return recorded;
}

/** What a block message says of the block itself. */
export type NewBlock = { block_hash: string; index_block_hash: string; transactions: { raw_tx: string }[] };

/** Every recorded block message. */
export function readNewBlocks(): NewBlock[] {
  return readEvents().flatMap(({ path, payload }) => (path === '/new_block' ? [payload as NewBlock] : []));
}

function readEvents(): { path: string; payload: unknown }[] {
  const events: { path: string; payload: unknown }[] = [];
  for (const name of recordings) {
    const file = recordedEvents(name);
    if (!existsSync(file)) continue;
    for (const line of gunzipSync(readFileSync(file)).toString('utf8').split('\n')) {
      const [, , path, payload] = line.split('\t');
      if (payload !== undefined) events.push({ path: path!, payload: parse(payload) });
    }
  }
  return events;
}

/** Recordings are in the text form of COPY, where a backslash of the JSON is doubled; a few are not. */
function parse(payload: string): unknown {
  try {
    return JSON.parse(payload.replaceAll('\\\\', '\\'));
  } catch {
    return JSON.parse(payload);
  }
}

function collect(recorded: Recorded, path: string, value: unknown): void {
  if (path === '/new_mempool_tx') {
    for (const raw of value as string[]) if (!recorded.transactions.has(raw)) recorded.transactions.set(raw, undefined);
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) collect(recorded, path, item);
    return;
  }
  if (value === null || typeof value !== 'object') return;
  const object = value as Record<string, unknown>;
  if (typeof object.raw_tx === 'string' && object.raw_tx !== '0x00') {
    recorded.transactions.set(object.raw_tx, object.txid as string | undefined);
  }
  for (const key of ['raw_result', 'raw_value']) {
    const raw = object[key];
    if (typeof raw === 'string') recorded.values.add(raw);
  }
  for (const item of Object.values(object)) collect(recorded, path, item);
}
