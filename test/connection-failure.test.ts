import { describe, expect, test } from 'vitest';
import { freePort } from '../bench/support/free-port.ts';
import { describeFailure } from '../src/app/connection-failure.ts';
import { untilReachable } from '../src/app/database.ts';
import { describeServer } from '../src/db/address.ts';
import { connect, withDatabase } from '../src/db/client.ts';
import { emptyDatabase } from './support/database.ts';
import { until } from './support/service.ts';

/** A log that keeps its lines. */
function keepLines() {
  const lines: string[] = [];
  const keep = (line: unknown) => void lines.push(String(line));
  return { lines, log: { info: keep, warn: keep } as Parameters<typeof untilReachable>[1] };
}

describe('a database that cannot be used', () => {
  test('is named with host, port and reason while the start waits for it', async () => {
    const { lines, log } = keepLines();
    const port = await freePort();
    const sql = connect(`postgres://cairn:secret@127.0.0.1:${port}/cairn`, { max: 1, name: 'test' });
    let halted = false;
    const waiting = untilReachable(sql, log, () => halted);
    await until(async () => lines.length > 0);
    halted = true;
    await expect(waiting).rejects.toThrow('stopped while starting');
    await sql.end();
    expect(lines).toEqual([
      `cannot reach the database at 127.0.0.1:${port} (ECONNREFUSED, nothing listens there): ` +
        'check DATABASE_URL, and that the server runs; trying again',
    ]);
  });

  test('is waited for if its host name is unknown: the name server may be late', () => {
    const error = Object.assign(new Error('getaddrinfo ENOTFOUND db.local'), { code: 'ENOTFOUND' });
    expect(describeFailure('db.local:5432', error)).toEqual({
      message:
        'cannot reach the database at db.local:5432 (ENOTFOUND, the host name is unknown): check DATABASE_URL, and that the server runs',
      final: false,
    });
  });

  test('ends the start if it does not exist', async t => {
    const { url } = await emptyDatabase(t);
    const sql = connect(withDatabase(url, 'no_such_database'), { max: 1, name: 'test' });
    const waiting = untilReachable(sql, keepLines().log, () => false);
    await expect(waiting).rejects.toThrow(
      /^the database at \S+ refused the connection: database "no_such_database" does not exist: create it, or check/,
    );
    await sql.end();
  });

  test('ends the start if the password is wrong', () => {
    const error = Object.assign(new Error('password authentication failed for user "cairn"'), { code: '28P01' });
    expect(describeFailure('db:6432', error)).toEqual({
      message:
        'the database at db:6432 refused the connection: password authentication failed for user "cairn": check the user and the password in DATABASE_URL',
      final: true,
    });
  });

  test('is waited for while it starts', () => {
    const error = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
    expect(describeFailure('db:5432', error)).toEqual({
      message: 'the database at db:5432 accepts no connection yet: the database system is starting up',
      final: false,
    });
  });
});

test('a server is described without its password', () => {
  expect(describeServer('postgres://u:p@db.local/cairn')).toBe('db.local:5432');
  expect(describeServer('postgres://u:p@a:5433,b/cairn')).toBe('a:5433,b:5432');
  expect(describeServer('postgres://u:p@/cairn?host=/run/postgresql')).toBe('/run/postgresql');
  expect(describeServer('postgres://u@%2Fvar%2Frun/cairn')).toBe('/var/run');
});
