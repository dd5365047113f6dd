import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { escapeCopy, unescapeCopy } from '../../src/ingest/replay/copy-text.ts';
import {
  formatRecordedEvent,
  type RecordedEvent,
  readRecordedEvents,
} from '../../src/ingest/replay/recorded-events.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-recorded-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(content: string | Buffer): string {
  const file = join(folder, `${++files}.tsv`);
  writeFileSync(file, content);
  return file;
}

async function all(file: string, options = {}): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const event of readRecordedEvents(file, options)) events.push(event);
  return events;
}

/** What could be read before the failure, and its message. */
async function untilFailure(file: string, options = {}): Promise<{ events: RecordedEvent[]; message: string }> {
  const events: RecordedEvent[] = [];
  try {
    for await (const event of readRecordedEvents(file, options)) events.push(event);
  } catch (error) {
    return { events, message: (error as Error).message };
  }
  return { events, message: '' };
}

const AT = '2024-03-13 15:34:10.446375+00';
const row = (id: number | string, payload: string, path = '/new_block') => `${id}\t${AT}\t${path}\t${payload}\n`;

describe('a recorded file', () => {
  test('gives its events in order with their place', async () => {
    const file = fileOf(row(1, '{"a":1}') + row(7, '[]', '/new_mempool_tx'));
    expect(await all(file)).toEqual([
      {
        line: 1,
        end: 51,
        id: 1n,
        at: '2024-03-13 15:34:10.446375+00:00',
        path: '/new_block',
        body: Buffer.from('{"a":1}'),
      },
      {
        line: 2,
        end: 102,
        id: 7n,
        at: '2024-03-13 15:34:10.446375+00:00',
        path: '/new_mempool_tx',
        body: Buffer.from('[]'),
      },
    ]);
  });

  test('is read the same when it is compressed, in one or several members', async () => {
    const text = row(1, '{"a":1}') + row(2, '{"b":2}');
    const plain = await all(fileOf(text));
    expect(await all(fileOf(gzipSync(text)))).toEqual(plain);
    expect(await all(fileOf(Buffer.concat([gzipSync(text.slice(0, 60)), gzipSync(text.slice(60))])))).toEqual(plain);
  });

  test('undoes the escapes of COPY', async () => {
    const [event] = await all(fileOf(row(1, String.raw`{"text":"say \\"hi\\" \\\\ \\n","u":"\\u0000"}`)));
    expect(JSON.parse(event!.body.toString())).toEqual({ text: 'say "hi" \\ \n', u: '\0' });
  });

  test('is not unescaped if only the plain text is JSON', async () => {
    const raw = String.raw`{"text":"say \"hi\" \u0000"}`;
    const [event] = await all(fileOf(row(1, raw)));
    expect(event!.body.toString()).toBe(raw);
  });

  test('returns a payload that is not JSON in either dialect unescaped', async () => {
    const [event] = await all(fileOf(row(1, String.raw`{"cut \\ \t`)));
    expect(event!.body.toString()).toBe('{"cut \\ \t');
  });

  test('gives the same id twice in a row once, even across a resumption', async () => {
    const file = fileOf(row(1, '1') + row(1, '1') + row(2, '2') + row(1, '3') + row(1, '3'));
    const events = await all(file);
    expect(events.map(event => [event.id, event.line])).toEqual([
      [1n, 1],
      [2n, 3],
      [1n, 4],
    ]);
    expect(await all(file, { after: events[0] })).toEqual(events.slice(1));
  });

  test('can be read on from any event, plain and compressed', async () => {
    const text = Array.from({ length: 40 }, (_, i) => row(i, JSON.stringify({ i, pad: 'x'.repeat(i * 500) }))).join('');
    const asText = (events: RecordedEvent[]) => events.map(event => ({ ...event, body: event.body.toString() }));
    for (const file of [fileOf(text), fileOf(gzipSync(text))]) {
      const events = await all(file);
      for (const place of [0, 17, 38, 39]) {
        expect(asText(await all(file, { after: events[place] }))).toEqual(asText(events.slice(place + 1)));
      }
    }
  });

  test('knows both forms of time, zones and NULL', async () => {
    const times = [
      '2025-10-16T16:10:40.482Z',
      '1970-01-01 00:00:00+00',
      '2024-02-29 23:59:59.1+05:30',
      '2024-01-01 00:00:00',
    ];
    const file = fileOf(`${times.map((time, i) => `${i}\t${time}\t/x\t{}\n`).join('')}\\N\t${times[0]}\t/x\t\\N\n`);
    const events = await all(file);
    expect(events.map(event => event.at)).toEqual([
      '2025-10-16 16:10:40.482+00:00',
      '1970-01-01 00:00:00+00:00',
      '2024-02-29 23:59:59.1+05:30',
      '2024-01-01 00:00:00+00:00',
      '2025-10-16 16:10:40.482+00:00',
    ]);
    expect(events.at(-1)).toMatchObject({ id: undefined, body: Buffer.alloc(0) });
  });

  test('may have Windows line ends, a byte order mark, blank lines and an end mark', async () => {
    const file = fileOf(`\uFEFF${row(1, '{}').replace('\n', '\r\n')}\n${row(2, '[]')}\\.\nnot read\n`);
    expect((await all(file)).map(event => event.body.toString())).toEqual(['{}', '[]']);
  });

  test('may lack the last newline', async () => {
    expect(await all(fileOf(row(1, '{}') + row(2, '{"b":1}').trimEnd()))).toHaveLength(2);
  });
});

describe('a broken file', () => {
  test.each([
    ['too few columns', `${row(1, '{}')}2\tx\n`, 'line 2 has fewer than four columns'],
    ['an id that is none', row('abc', '{}'), 'line 1: the id "abc" is not a number'],
    ['a time that is none', `1\tyesterday\t/x\t{}\n`, 'line 1: the time "yesterday" is not understood'],
    ['a day that is none', `1\t2024-02-31 00:00:00Z\t/x\t{}\n`, 'line 1: the time'],
    ['a path that is none', row(1, '{}', 'new_block'), 'line 1: the path "new_block"'],
    [
      'a cut-off last line',
      row(1, '{}') + row(2, '{"a":1}').slice(0, -3),
      'line 2 is cut off: the file ends in the middle of it (the line begins at byte 46)',
    ],
    ['a last line cut in an early column', `${row(1, '{}')}2\t2024`, 'line 2 is cut off'],
  ])('with %s says so and where', async (_, content, message) => {
    expect((await untilFailure(fileOf(content))).message).toContain(message);
  });

  test('that was cut off while compressed gives every complete line first', async () => {
    const rows = Array.from({ length: 500 }, (_, i) => row(i, JSON.stringify({ i, noise: Math.sin(i).toString(36) })));
    const bytes = gzipSync(rows.join(''));
    const whole = await untilFailure(fileOf(bytes.subarray(0, bytes.length - 4)));
    expect(whole.events).toHaveLength(500);
    const half = await untilFailure(fileOf(bytes.subarray(0, bytes.length >> 1)));
    expect(half.events.length).toBeGreaterThan(150);
    expect(half.message).toMatch(
      new RegExp(`the compressed file is cut off after line ${half.events.length}, at byte \\d+$`),
    );
  });

  test('with damaged compression says so', async () => {
    const bytes = gzipSync(Buffer.from(row(1, JSON.stringify(Array.from({ length: 5000 }, Math.random)))));
    bytes.fill(0, 3000, 3100);
    expect((await untilFailure(fileOf(bytes))).message).toMatch(/cannot be read: .* after line 0, at byte \d+/);
  });

  test('with a line beyond the limit says so', async () => {
    const { events, message } = await untilFailure(fileOf(row(1, '{}') + row(2, `"${'x'.repeat(5000)}"`)), {
      maxLineBytes: 1000,
    });
    expect(events).toHaveLength(1);
    expect(message).toContain('line 2 is longer than 1000 bytes, at byte ');
  });

  test('that is not there says so', async () => {
    expect((await untilFailure(join(folder, 'none.tsv'))).message).toContain('none.tsv cannot be opened');
  });
});

test('a line of 100 MB is read', async () => {
  const file = fileOf(`1\t${AT}\t/new_block\t"`);
  const block = Buffer.alloc(10 << 20, 'x');
  for (let i = 0; i < 10; i++) appendFileSync(file, block);
  appendFileSync(file, '"\n');
  const [event] = await all(file);
  expect(event!.body.length).toBe((100 << 20) + 2);
});

// RenderedItemCache that have a meaning in COPY, in JSON or in both, so that generated bodies meet the ambiguous cases.
const piece = fc.oneof(
  fc.constantFrom(
    '\\',
    '\\\\',
    '\\n',
    '\\N',
    '\\.',
    '\n',
    '\r',
    '\t',
    '"',
    '\\"',
    '\\x5c',
    '\\134',
    '\\u0000',
    '\0',
    '{',
    '}',
    ' ',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const body = fc.oneof(
  fc.json().map(text => Buffer.from(text)),
  fc.json().map(text => Buffer.from(JSON.stringify(JSON.parse(text), null, '\t'))),
  fc.array(piece, { maxLength: 8 }).map(pieces => Buffer.from(pieces.join(''))),
  fc.array(piece, { maxLength: 8 }).map(pieces => Buffer.from(`"${pieces.join('')}"`)),
  fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes)),
);

test('every body is read back as it was written, to the byte', async () => {
  const path = fc.array(piece, { maxLength: 3 }).map(pieces => `/${pieces.join('')}`);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ path, body }), { minLength: 1, maxLength: 20 }), async events => {
      const lines = events.map((event, i) => formatRecordedEvent({ ...event, id: BigInt(i + 1), at: AT }));
      const read = await all(fileOf(Buffer.concat(lines)));
      expect(read.map(({ id, path, body }) => ({ id, path, body }))).toEqual(
        events.map((event, i) => ({ id: BigInt(i + 1), path: Buffer.from(event.path).toString(), body: event.body })),
      );
    }),
    { numRuns: 300 },
  );
});

test('escapes are undone to the byte in both styles', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      const given = Buffer.from(bytes);
      expect(unescapeCopy(escapeCopy(given)).equals(given)).toBe(true);
      expect(unescapeCopy(escapeCopy(given, 'numeric')).equals(given)).toBe(true);
    }),
  );
});

describe('a line of more than 8 MB', () => {
  const filler = 'x'.repeat(9 << 20);
  const escaped = JSON.stringify({ text: `a"\n${filler}` });
  const plain = JSON.stringify({ text: filler });

  test.each([
    ['without escapes', plain, plain],
    ['with the escapes of COPY', escaped, escapeCopy(Buffer.from(escaped)).toString()],
    ['with escapes of JSON only', escaped, escaped],
  ])('%s is read as a short one is', async (_, body, payload) => {
    // The columns of the second line lie on both sides of a read.
    const first = row(1, `"${'y'.repeat((1 << 20) - 70)}"`);
    const content = first + row(2, `${payload}`).replace(/\n$/, '\r\n') + row(3, '[]');
    for (const file of [fileOf(content), fileOf(gzipSync(content, { level: 1 }))]) {
      const [, large, last] = await all(file);
      expect(large).toMatchObject({ line: 2, id: 2n, path: '/new_block', end: content.length - row(3, '[]').length });
      expect(large?.body.equals(Buffer.from(body))).toBe(true);
      expect(last?.body.toString()).toBe('[]');
    }
  });

  test('that is cut off is told with its place, and the lines before it are given', async () => {
    const content = row(1, '{}') + row(2, plain).slice(0, -100);
    const { events, message } = await untilFailure(fileOf(content));
    expect(events).toHaveLength(1);
    expect(message).toContain(
      `line 2 is cut off: the file ends in the middle of it (the line begins at byte ${row(1, '{}').length})`,
    );
  });
});
