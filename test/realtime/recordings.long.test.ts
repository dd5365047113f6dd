import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { io } from 'socket.io-client';
import { describe, expect, test } from 'vitest';
import { casesOf, needRecordings, recordedEvents, recordedFile, recordings } from '../support/recordings.ts';
import { type Ending, type Json, startLive } from './support.ts';

const names = recordings.filter(name => existsSync(recordedFile(name, 'socketio.ndjson.gz')));
const volatile = new Set(['receipt_time', 'receipt_time_iso', 'block_time', 'block_time_iso']);

/** A recorded line of a Socket.IO client's life. */
type Line = { dir: string; topic?: string; query?: string; ack?: string | null; args?: Json[]; message?: string };

const linesOf = (file: string) => gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean);

/** A message without its receipt times, as text that compares: the order of its keys says nothing. */
const textOf = (topic: string, args: Json[]) =>
  `${topic} ${JSON.stringify(args, (key, value) => (volatile.has(key) ? undefined : sorted(value)))}`;

const sorted = (value: unknown) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Recordings come with the escapes of COPY and without: whichever reading is JSON is the right one. */
function readPayload(payload: string): string {
  const body = payload.replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c === 't' ? '\t' : c === 'r' ? '\r' : c));
  try {
    JSON.parse(body);
    return body;
  } catch {
    return payload;
  }
}

/** Opens the recorded subscriptions and plays the events one by one: the client gets what was recorded. */
async function play(t: Ending, name: string) {
  const recorded = linesOf(recordedFile(name, 'socketio.ndjson.gz')).map(line => JSON.parse(line) as Line);
  const { chain_id: chainId } = JSON.parse(readFileSync(recordedFile(name, 'meta.json'), 'utf8')) as {
    chain_id: string;
  };
  const mainnet = Number(chainId) === 1;
  const network = { name: mainnet ? 'mainnet' : 'testnet', chainId: Number(chainId), mainnet };
  const live = await startLive(t, { maxSubscriptions: 1_000 }, { network });
  const socket = io(`http://127.0.0.1:${live.port}`, {
    transports: ['websocket'],
    query: { subscriptions: recorded.find(line => line.dir === 'connect')?.query ?? '' },
  });
  t.onTestFinished(async () => void socket.disconnect());
  const got: string[] = [];
  socket.onAny((topic, ...args) => got.push(textOf(topic, args)));
  await new Promise<void>(resolve => socket.once('connect', resolve));
  for (const { dir, topic, ack } of recorded) {
    if (dir === 'subscribe' && ack === null) expect(await socket.emitWithAck('subscribe', topic)).toBe(null);
  }
  for (const line of linesOf(recordedEvents(name))) {
    const [, , path, payload] = line.split('\t');
    await live.post({ path: path!, body: readPayload(payload!) });
    if (path !== '/new_burn_block') await live.announced();
  }
  const wanted = recorded.flatMap(({ dir, topic, args }) => (dir === 'recv' ? [textOf(topic!, args!)] : []));
  // The layer of a stream is written after the event that brought it.
  await expect.poll(() => missingOf(wanted, got)).toEqual([]);
}

/** What was to come and did not. */
function missingOf(wanted: readonly string[], got: readonly string[]): string[] {
  const left = [...got];
  const seen = new Set<string>();
  return wanted.filter(message => {
    // The older service repeats a waiting transaction when it is mined.
    const again = message.startsWith('mempool ') && seen.has(message);
    seen.add(message);
    const at = left.indexOf(message);
    if (at >= 0) left.splice(at, 1);
    return at < 0 && !again;
  });
}

describe('a Socket.IO client', () => {
  needRecordings(names.length > 0);
  test.each(casesOf(names))('hears what was recorded for %s', async name => {
    const endings: (() => Promise<void>)[] = [];
    try {
      await play({ onTestFinished: work => void endings.push(work) }, name);
    } finally {
      for (const end of endings.reverse()) await end();
    }
  });
});
