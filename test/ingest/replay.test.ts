import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { networkOf, parseNetwork } from '@cairn-stacks/codec/network';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeIdentity } from '../../src/app/identity.ts';
import { exportEvents } from '../../src/commands/export.ts';
import { Progress } from '../../src/commands/progress.ts';
import { decideChain } from '../../src/commands/replay.ts';
import type { Pool } from '../../src/db/client.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { readEvents } from '../../src/ingest/log/event-reader.ts';
import { findChainId } from '../../src/ingest/replay/recorded-chain.ts';
import { LogSink, replayFile } from '../../src/ingest/replay/replay.ts';
import { findMark, identifyFile } from '../../src/ingest/replay/replay-mark.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { until } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-replay-'));
let db: TestDatabase;
let copy: TestDatabase;

beforeAll(async () => {
  [db, copy] = await Promise.all([testDatabase(), testDatabase()]);
});
afterAll(async () => {
  await Promise.all([db.drop(), copy.drop()]);
  rmSync(folder, { recursive: true });
});
beforeEach(() => Promise.all([empty(db.sql), empty(copy.sql)]));

async function empty(sql: Pool): Promise<void> {
  await sql`truncate event_log, event_paths, event_sources, replay_files, chain_identity`;
  await sql`update event_log_head set last_id = 0`;
}

let files = 0;
function fileOf(content: string | Buffer): string {
  const path = join(folder, `${++files}.tsv`);
  writeFileSync(path, content);
  return path;
}

const row = (id: number, payload: string, path = '/new_block') =>
  `${id}\t2024-03-13 15:34:10.446375+00\t${path}\t${payload}\n`;
const rows = (count: number, size = 10) =>
  Array.from({ length: count }, (_, i) => row(i + 1, JSON.stringify({ n: i + 1, pad: 'x'.repeat(size) })));

async function replay(path: string, sql = db.sql, options: { signal?: AbortSignal } = {}) {
  const sink = new LogSink(sql, new EventLog(sql));
  return replayFile({ sql, file: await identifyFile(path), sink, ...options });
}

async function numbers(sql = db.sql): Promise<number[]> {
  const read = await readEvents(sql, 0n, { maxBytes: 1 << 30, maxCount: 100_000 });
  return read.map(event => JSON.parse(event.body.toString()).n);
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('a replay', () => {
  test('puts every event of a file into the log, in order, with its time and path', async () => {
    const mark = await replay(fileOf(rows(2500).join('') + row(2501, '{"n":2501}', '/new_burn_block')));
    expect(mark).toMatchObject({ events: 2501, finished: true, place: { line: 2501, id: 2501n } });
    expect(await numbers()).toEqual(upTo(2501));
    const [last] = await readEvents(db.sql, 2500n);
    expect(last).toMatchObject({ path: '/new_burn_block', source: 'replay', atText: '2024-03-13 15:34:10.446375+00' });
  });

  test('of a file that is done changes nothing, whatever its name', async () => {
    const content = rows(5).join('');
    await replay(fileOf(content));
    expect(await replay(fileOf(content))).toMatchObject({ finished: true, events: 5 });
    expect(await numbers()).toEqual(upTo(5));
  });

  test.each(['plain', 'compressed'])('that was interrupted goes on behind the last event, %s', async form => {
    const text = rows(6000, 4000).join('');
    const file = fileOf(form === 'plain' ? text : gzipSync(text, { level: 1 }));
    const sink = new LogSink(db.sql, new EventLog(db.sql));
    const stop = new AbortController();
    const onProgress = ({ events }: { events: number }) => events >= 1500 && stop.abort();
    const first = await replayFile({
      sql: db.sql,
      file: await identifyFile(file),
      sink,
      signal: stop.signal,
      onProgress,
    });
    expect(first.finished).toBe(false);
    expect(first.events).toBeLessThan(6000);
    expect(await numbers()).toEqual(upTo(first.events));
    expect(await replay(file)).toMatchObject({ finished: true, events: 6000 });
    expect(await numbers()).toEqual(upTo(6000));
  });

  test('of a file that breaks off keeps its complete lines and says where', async () => {
    const bytes = gzipSync(rows(3000, 100).join(''));
    const file = fileOf(bytes.subarray(0, bytes.length - 6));
    await expect(replay(file)).rejects.toThrow(/cut off after line 3000/);
    expect(await numbers()).toEqual(upTo(3000));
    await expect(replay(file)).rejects.toThrow(/cut off/);
    expect(await numbers()).toEqual(upTo(3000));
  });

  test('whose transaction fails leaves mark and log as they were', async () => {
    const file = fileOf(rows(2500).join(''));
    await db.sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$
      begin if new.id > 1700 then raise exception 'no space left on device' using errcode = '53100'; end if; return new; end $$;
      create trigger refuse before insert on event_log for each row execute function refuse()`);
    await expect(replay(file)).rejects.toThrow('no space left');
    await db.sql`drop function refuse cascade`;
    const mark = await findMark(db.sql, await identifyFile(file));
    expect(mark).toMatchObject({ events: 1000, finished: false });
    expect(await numbers()).toEqual(upTo(1000));
    await replay(file);
    expect(await numbers()).toEqual(upTo(2500));
  });

  test('beside another one of the same file does not double anything', async () => {
    const file = fileOf(rows(5000, 1000).join(''));
    const outcomes = await Promise.allSettled([replay(file), replay(file)]);
    const failed = outcomes.filter(outcome => outcome.status === 'rejected');
    expect(failed).toHaveLength(1);
    expect(String(failed[0]!.reason)).toContain('another replay of this file is under way');
    expect(await numbers()).toEqual(upTo(5000));
  });

  test('of a body of 60 MB goes through', async () => {
    const body = JSON.stringify({ n: 2, pad: 'y'.repeat(60 << 20) });
    await replay(fileOf(rows(1).join('') + row(2, body) + row(3, '{"n":3}')));
    expect(await numbers()).toEqual([1, 2, 3]);
  });
});

test('a replay that is killed again and again ends with every event once', async () => {
  const file = fileOf(rows(9000, 500).join(''));
  const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
  const run = () =>
    spawn(process.execPath, [main, 'replay', file, '--log-only', '--network', 'testnet'], {
      env: { ...process.env, DATABASE_URL: db.url },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  // Each statement of 500 rows takes a while, so that a kill can come in its middle; it waits at a gate, so that none is the last.
  await db.sql.unsafe(`
    create table gate as select 0::bigint as id;
    create function dawdle() returns trigger language plpgsql as $$
    begin
      loop
        perform pg_sleep(0.1);
        exit when (select max(e.id) from event_log e) <= (select g.id from gate g);
      end loop;
      return null;
    end $$;
    create trigger dawdle after insert on event_log for each statement execute function dawdle()`);
  const open = async (id: number) => await db.sql`update gate set id = ${id}`;
  const markOf = async () => (await findMark(db.sql, await identifyFile(file))).events;
  const marks: number[] = [];
  for (let kills = 0; kills < 4; kills++) {
    const before = await markOf();
    await open(before + 1000);
    const child = run();
    const exited = once(child, 'exit');
    await until(async () => (await markOf()) > before);
    await sleep(Math.random() * 200); // at any moment of the next statements
    child.kill('SIGKILL');
    expect((await exited)[1]).toBe('SIGKILL');
    // The server ends the transaction of a client that is gone on its own, once it is through; the next run waits for its lock.
    await open(before + 1500);
    marks.push(await markOf());
    expect((await numbers()).slice(0, marks.at(-1))).toEqual(upTo(marks.at(-1)!));
  }
  expect(marks.every(mark => mark > 0 && mark < 9000)).toBe(true);
  await open(9000);
  await db.sql`drop function dawdle cascade`;
  await db.sql`drop table gate`;
  const [code] = await once(run(), 'exit');
  expect(code).toBe(0);
  expect(await numbers()).toEqual(upTo(9000));
});

test('a replay tries the event again at which an earlier fold has halted', async () => {
  const file = fileOf(row(1, '{}', '/some_news'));
  const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
  await db.sql`update fold_position set halted_at = 1, halt_reason = 'an older version did not know it'`;
  const child = spawn(process.execPath, [main, 'replay', file, '--network', 'testnet'], {
    env: { ...process.env, DATABASE_URL: db.url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect((await once(child, 'exit'))[0]).toBe(0);
  const [position] = await db.sql`select event_id, halted_at from fold_position`;
  expect(position).toEqual({ event_id: 1n, halted_at: null });
});

describe('the chain of a file', () => {
  let id = 0;
  const block = (...raw: string[]) => row(++id, JSON.stringify({ transactions: raw.map(raw_tx => ({ raw_tx })) }));
  const boot = '0x00000000000400';
  const mainnet = fileOf(block(boot, '0x00') + block('0x00000000010400'));
  const testnet = fileOf(row(1, '["0x80800000000400"]', '/new_mempool_tx'));
  const unknown = fileOf(block(boot) + row(9, '{"broken"'));
  const decide = async (paths: string[], wanted?: string) =>
    decideChain(
      db.sql,
      await Promise.all(paths.map(identifyFile)),
      wanted === undefined ? undefined : parseNetwork(wanted),
    );

  test('is that of its first signed transaction', async () => {
    expect(await findChainId(mainnet)).toBe(1);
    expect(await findChainId(testnet)).toBe(0x80000000);
    expect(await findChainId(unknown)).toBeUndefined();
  });

  test('becomes the chain of an empty database', async () => {
    expect(await decide([mainnet, mainnet])).toMatchObject({ name: 'mainnet', chainId: 1 });
    expect(await decide([testnet], 'devnet')).toMatchObject({ name: 'devnet' });
    expect(await decide([unknown], '0x10')).toMatchObject({ name: 'custom', chainId: 16 });
  });

  test('must be known and must be one', async () => {
    await expect(decide([unknown])).rejects.toThrow('does not show its network: set --network');
    await expect(decide([mainnet, testnet])).rejects.toThrow(
      'is from testnet (chain id 0x80000000), but the files before',
    );
    await expect(decide([mainnet], 'testnet')).rejects.toThrow(
      'is from mainnet (chain id 0x00000001), but asked for was testnet',
    );
    await storeIdentity(db.sql, networkOf(1), false);
    await expect(decide([testnet])).rejects.toThrow('but this database holds mainnet');
    await expect(decide([mainnet], 'testnet')).rejects.toThrow('this database holds mainnet');
    expect(await decide([mainnet])).toMatchObject({ name: 'mainnet' });
  });

  test('is never mixed into the simulated devnet', async () => {
    await storeIdentity(db.sql, parseNetwork('devnet')!, true);
    await expect(decide([testnet])).rejects.toThrow('simulated devnet');
  });
});

describe('an export', () => {
  const piece = fc.constantFrom(
    '\\',
    '\\\\',
    '\\n',
    '\\N',
    '\n',
    '\r',
    '\t',
    '"',
    '\\"',
    '\\x5c',
    '\\u0000',
    '\0',
    'ü',
    ' ',
  );
  const body = fc.oneof(
    fc.json().map(text => Buffer.from(text)),
    fc.array(piece, { maxLength: 6 }).map(pieces => Buffer.from(`"${pieces.join('')}"`)),
    fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes)),
  );
  const at = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
  const path = fc.constantFrom('/new_block', '/new_burn_block', '/of a\tfuture', '/\\N', '/ü');

  test('replayed is the same log, whatever was in it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ body, at, path }), { maxLength: 15 }),
        fc.boolean(),
        async (events, gzip) => {
          await Promise.all([empty(db.sql), empty(copy.sql)]);
          const log = new EventLog(db.sql);
          await Promise.all(events.map(event => log.append({ ...event, source: 'node 1' })));
          const file = join(folder, `export-${++files}.tsv${gzip ? '.gz' : ''}`);
          expect(await exportEvents(db.sql, file, { from: 1n })).toBe(events.length);
          await replay(file, copy.sql);
          const again = join(folder, `export-${++files}.tsv${gzip ? '.gz' : ''}`);
          await exportEvents(copy.sql, again, { from: 1n });
          expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
          const [given, replayed] = await Promise.all([readEvents(db.sql, 0n), readEvents(copy.sql, 0n)]);
          expect(replayed.map(event => ({ ...event, source: 'node 1' }))).toEqual(given);
          expect(given.map(event => event.body)).toEqual(events.map(event => event.body));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('may be a part of the log', async () => {
    await replay(fileOf(rows(10).join('')));
    const file = join(folder, 'part.tsv');
    expect(await exportEvents(db.sql, file, { from: 3n, to: 5n })).toBe(3);
    expect(readFileSync(file, 'utf8').match(/^\d+/gm)).toEqual(['3', '4', '5']);
  });
});

test('progress shows share, rate and time left, on a terminal with a bar', () => {
  let now = 0;
  const written: string[] = [];
  const show = (isTTY: boolean) => {
    now = 0;
    written.length = 0;
    const out = { isTTY, columns: 120, write: (text: string) => written.push(text) };
    const progress = new Progress({ label: 'x.tsv', unit: 'bytes', total: 4e6, out, now: () => now });
    progress.update(0, 0);
    now = 10_000;
    progress.update(1e6, 500);
    progress.finish();
    return written.at(-2);
  };
  expect(show(false)).toBe('x.tsv  25.0 %  500 events  50/s  1.0 MB of 4.0 MB  100 KB/s  30 s left\n');
  expect(show(true)).toMatch(/x\.tsv {2}\[#{8}\.{22}\] 25\.0 %/);
});
