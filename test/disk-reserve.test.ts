import { expect, test } from 'vitest';
import { DiskWatch } from '../src/app/disk-watch.ts';
import { until } from './support/service.ts';

const GB = 1e9;

test('ingest is suspended below the reserve, and goes on when a tenth more is free', async t => {
  let free = 3 * GB;
  let readings = 0;
  const lines: string[] = [];
  const line = (_: object, message: string) => void lines.push(message);
  const told: (string | undefined)[] = [];
  const watch = await DiskWatch.open({
    ...{ folder: '/data', reserve: 2 * GB, everyMs: 5, onFree: () => {} },
    log: { info: line, warn: line, error: line },
    onSuspend: reason => told.push(reason),
    readSpace: async () => {
      readings++;
      return { free, size: 100 * GB };
    },
  });
  t.onTestFinished(() => watch.stop());
  expect(watch.suspended).toBeUndefined();
  free = 1.9 * GB;
  await until(async () => watch.suspended !== undefined);
  expect(told).toEqual([
    'ingest is suspended: the disk of the database has 1900 MB free, less than the 2000 MB of CAIRN_DISK_RESERVE; reads go on',
  ]);
  // A little more is not enough: it would be used up at once.
  free = 2.1 * GB;
  const seen = readings;
  await until(() => readings > seen + 10);
  expect(watch.suspended).toBeDefined();
  free = 2.2 * GB;
  await until(async () => watch.suspended === undefined);
  expect(told.at(-1)).toBeUndefined();
  expect(lines.at(-1)).toBe('the disk has free space again: ingest goes on');
});

test('a free space that cannot be read suspends nothing, and is told once', async t => {
  const lines: string[] = [];
  const line = (_: object, message: string) => void lines.push(message);
  let reads = 0;
  const watch = await DiskWatch.open({
    ...{ folder: '/data', reserve: GB, everyMs: 5, onFree: () => {}, onSuspend: () => {} },
    log: { info: line, warn: line, error: line },
    readSpace: async () => {
      reads++;
      throw new Error('stale file handle');
    },
  });
  t.onTestFinished(() => watch.stop());
  await until(async () => reads > 3);
  expect([watch.suspended, lines]).toEqual([undefined, ['cannot read the free disk space']]);
});
