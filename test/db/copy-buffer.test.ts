import { expect, test } from 'vitest';
import { CopyBuffer } from '../../src/db/copy-buffer.ts';
import { Flush } from '../../src/db/flush.ts';
import type { ColumnType, Value } from '../../src/db/table.ts';
import { Writer } from '../../src/db/writer.ts';
import { testDatabase } from '../support/database.ts';

const columns = {
  flag: 'bool',
  small: 'int2',
  whole: 'int4',
  long: 'int8',
  amount: 'numeric',
  words: 'text',
  bytes: 'bytea',
  list: 'int4[]',
  longs: 'int8[]',
} as const;

test('every kind of value comes back as it was written, whatever its length', async t => {
  const { sql, url } = await testDatabase(t);
  await sql.unsafe(`create table kinds (${Object.entries(columns).map(([name, type]) => `${name} ${type}`)})`);
  const rows: Value[][] = [
    [true, -32_768, -2_147_483_648, -(2n ** 63n), 0n, '', new Uint8Array(0), [], []],
    [false, 32_767, 2_147_483_647, 2n ** 63n - 1n, 10n ** 38n + 10_000n, 'é\0x', new Uint8Array(70_000), [1, -2], [3n]],
    [null, null, null, null, -340_282_366_920_938_463_463n, null, null, null, null],
    [true, 1, 2, 3, 40_000n, 'a'.repeat(20_000), Uint8Array.of(1, 2), [7], [2n ** 40n]],
  ];
  const copy = new CopyBuffer({ name: 'kinds', columns });
  for (const row of rows) copy.add(row);
  const { text, data } = copy.finish();
  const flush = new Flush();
  flush.copy(text, data);
  const writer = await Writer.open(url, 'test', {});
  await writer.run(flush).finally(() => writer.end());
  const stored = await sql`select * from kinds`;
  expect(stored.map(row => Object.values(row))).toEqual([
    [true, -32_768, -2_147_483_648, -(2n ** 63n), '0', '', Buffer.alloc(0), [], []],
    [
      false,
      32_767,
      2_147_483_647,
      2n ** 63n - 1n,
      String(10n ** 38n + 10_000n),
      'éx',
      Buffer.alloc(70_000),
      [1, -2],
      [3n],
    ],
    [null, null, null, null, '-340282366920938463463', null, null, null, null],
    [true, 1, 2, 3n, '40000', 'a'.repeat(20_000), Buffer.of(1, 2), [7], [2n ** 40n]],
  ]);
});

test.for<[ColumnType, Value]>([
  ['int2', 32_768],
  ['int2', -32_769],
  ['int4', 2_147_483_648],
  ['int4', 0.5],
  ['principal', 2 ** 31],
  ['int8', 2n ** 63n],
  ['int4[]', [2 ** 31]],
])('%s refuses %s instead of wrapping it around', ([type, value]) => {
  const copy = new CopyBuffer({ name: 'counts', columns: { total: type } });
  expect(() => copy.add([value])).toThrow('counts.total');
});

test('rows of several parts are all written', async t => {
  const { sql, url } = await testDatabase(t);
  await sql.unsafe('create table long_rows (id int, value bytea)');
  const copy = new CopyBuffer({ name: 'long_rows', columns: { id: 'int4', value: 'bytea' } });
  for (let id = 0; id < 20; id++) copy.add([id, new Uint8Array(700_000).fill(id)]);
  const { text, data } = copy.finish();
  expect(data.length).toBeGreaterThan(2);
  expect(copy.bytes).toBe(data.reduce((sum, part) => sum + part.length, 0));
  const flush = new Flush();
  flush.copy(text, data);
  const writer = await Writer.open(url, 'test', {});
  await writer.run(flush).finally(() => writer.end());
  const [row] = await sql`
    select count(*)::int as rows, bool_and(octet_length(value) = 700000 and get_byte(value, 699999) = id) as whole from long_rows
  `;
  expect(row).toEqual({ rows: 20, whole: true });
});
