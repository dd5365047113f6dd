import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { UsageError } from '../../src/errors.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { readEvents } from '../../src/ingest/log/event-reader.ts';
import { type Observer, type ObserverOptions, startObserver } from '../../src/ingest/observer/observer.ts';
import { pathOf } from '../../src/ingest/observer/post.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { until } from '../support/service.ts';

type Post = Parameters<NonNullable<ObserverOptions['onPost']>>[0];

let db: TestDatabase;
let log: EventLog;
let posts: Post[] = [];
const observers: Observer[] = [];

beforeAll(async () => {
  db = await testDatabase();
  log = new EventLog(db.sql);
});
afterAll(() => db.drop());
beforeEach(async () => {
  posts = [];
  await db.sql`truncate event_log`;
  await db.sql`update event_log_head set last_id = 0`;
});
afterEach(async () => {
  await Promise.all(observers.splice(0).map(observer => observer.stop(100)));
});

async function observe(options: Partial<ObserverOptions> = {}): Promise<Observer> {
  const observer = await startObserver({
    log,
    host: '127.0.0.1',
    port: 0,
    onPost: post => posts.push(post),
    ...options,
  });
  observers.push(observer);
  return observer;
}

const url = (observer: Observer, path: string) => `http://127.0.0.1:${observer.port}${path}`;
const post = (observer: Observer, path: string, body: string | Buffer) =>
  fetch(url(observer, path), { method: 'POST', body: Uint8Array.from(Buffer.from(body)) });

/** Writes raw bytes, optionally closes its side, and gives back all that was answered. */
async function exchange(observer: Observer, bytes: string, end = true): Promise<string> {
  const socket = connectSocket(observer.port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', text => {
    answer += text;
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (end) socket.end(bytes);
  else socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

const stored = () => readEvents(db.sql, 0n);

describe('a post', () => {
  test('is answered 200 when it is in the log', async () => {
    const observer = await observe();
    const before = Date.now();
    const response = await post(observer, '/new_block', '{"block_height":1}');
    expect([response.status, await response.text()]).toEqual([200, '{"result":"ok"}']);
    const [event] = await stored();
    expect(event).toMatchObject({ id: 1n, path: '/new_block', source: 'node 127.0.0.1' });
    expect(event!.body.toString()).toBe('{"block_height":1}');
    expect(event!.at.getTime()).toBeGreaterThanOrEqual(before);
    expect(event!.at.getTime()).toBeLessThanOrEqual(Date.now());
    expect(posts).toEqual([{ path: '/new_block', bytes: 18, durationMs: expect.any(Number), outcome: 'stored' }]);
  });

  test.each([
    '/new_burn_block',
    '/new_mempool_tx',
    '/drop_mempool_tx',
    '/new_microblocks',
    '/attachments/new',
    '/',
    '/of/the/future',
  ])('to %s is kept', async path => {
    expect((await post(await observe(), path, '{}')).status).toBe(200);
    expect((await stored()).map(event => event.path)).toEqual([path]);
  });

  test.each(['{"cut', '', '\0\xff', 'null', '[1e999999]'])('of %j is kept for the fold to judge', async body => {
    expect((await post(await observe(), '/new_block', Buffer.from(body, 'latin1'))).status).toBe(200);
    expect((await stored())[0]!.body).toEqual(Buffer.from(body, 'latin1'));
  });

  test.each(['/stackerdb_chunks', '/proposal_response', '/mined_block', '/mined_microblock', '/mined_nakamoto_block'])(
    'to %s is counted and dropped unless everything is kept',
    async path => {
      expect((await post(await observe(), path, '{"a":1}')).status).toBe(200);
      expect(await stored()).toEqual([]);
      expect(posts).toMatchObject([{ path, bytes: 7, outcome: 'discarded' }]);
      expect((await post(await observe({ keepAll: true }), path, '{"a":1}')).status).toBe(200);
      expect(await stored()).toHaveLength(1);
    },
  );

  test('may come in chunks of unknown length', async () => {
    const observer = await observe();
    const sent = request(url(observer, '/new_block'), { method: 'POST' });
    for (let i = 0; i < 50; i++) sent.write(`[${'x'.repeat(i * 100)}]`);
    sent.end();
    const [response] = await once(sent, 'response');
    expect(response.statusCode).toBe(200);
    expect((await stored())[0]!.body.length).toBe(50 * 2 + 100 * 1225);
    response.resume();
  });

  test('may share its connection with others', async () => {
    const observer = await observe();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 3; i++) {
      const sent = request(url(observer, '/new_block'), { method: 'POST', agent });
      sent.end(`${i}`);
      const [response] = await once(sent, 'response');
      expect(sent.reusedSocket).toBe(i > 0);
      await response.resume().toArray();
    }
    agent.destroy();
    expect(await stored()).toHaveLength(3);
  });

  test('beyond the limit is refused with 413, of known length and of unknown', async () => {
    const lines: string[] = [];
    const line = (_: object, message: string) => void lines.push(message);
    const observer = await observe({ bodyLimit: 1000, logger: { info: line, warn: line, error: line } });
    expect((await post(observer, '/new_block', 'x'.repeat(1001))).status).toBe(413);
    expect(lines).toEqual([expect.stringMatching(/larger than 1000 bytes; .* set CAIRN_OBSERVER_BODY_LIMIT to more/)]);
    const chunk = `${'x'.repeat(600)}\r\n`;
    const answer = await exchange(
      observer,
      `POST /new_block HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n258\r\n${chunk}258\r\n${chunk}0\r\n\r\n`,
      false,
    );
    expect(answer).toMatch(/^HTTP\/1.1 413 .*"the body is larger than 1000 bytes[;"]/s);
    expect((await post(observer, '/new_block', 'x'.repeat(1000))).status).toBe(200);
    expect(await stored()).toHaveLength(1);
  });

  test('that is cut off is answered 400 and not kept', async () => {
    const observer = await observe();
    const head = 'POST /new_block HTTP/1.1\r\nHost: x\r\n';
    expect(await exchange(observer, `${head}Content-Length: 100\r\n\r\n{"a":1}`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await exchange(observer, `${head}Content-Length: 9000000\r\n\r\n{"a":1}`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await exchange(observer, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await stored()).toEqual([]);
    await until(() => posts.length === 3);
    expect(posts.every(({ outcome }) => outcome === 'refused')).toBe(true);
  });

  test('whose sender vanishes is not kept, and its memory is given back', async () => {
    const observer = await observe({ memoryBudget: 10_000 });
    for (let i = 0; i < 5; i++) {
      const socket = connectSocket(observer.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write('POST /new_block HTTP/1.1\r\nHost: x\r\nContent-Length: 8000\r\n\r\nxxx');
      socket.resetAndDestroy();
    }
    expect((await post(observer, '/new_block', 'x'.repeat(8000))).status).toBe(200);
    expect(await stored()).toHaveLength(1);
  });

  test('that stands still is given up, so that others get their turn', async () => {
    const observer = await observe({ memoryBudget: 10_000, stallMs: 100 });
    const socket = connectSocket(observer.port, '127.0.0.1');
    const stuck = once(socket, 'close');
    socket.write('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 8000\r\nExpect: 100-continue\r\n\r\n');
    await once(socket, 'data'); // it has the observer's attention
    socket.write('xxx');
    expect((await post(observer, '/new_block', 'x'.repeat(8000))).status).toBe(200);
    await stuck;
    expect(await stored()).toHaveLength(1);
  });
});

describe('the port', () => {
  test('says that it is ready', async () => {
    const observer = await observe();
    const response = await fetch(url(observer, '/'));
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ status: 'ready' })]);
  });

  test('serves nothing else', async () => {
    const observer = await observe();
    expect((await fetch(url(observer, '/new_block'))).status).toBe(404);
    const response = await fetch(url(observer, '/new_block'), { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect((await post(observer, `/${'x'.repeat(300)}`, '{}')).status).toBe(414);
    expect(await exchange(observer, 'hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await exchange(observer, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
    expect(await stored()).toEqual([]);
  });

  test('that is taken is named in the error', async () => {
    const { port } = await observe();
    const failure = await observe({ port }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect(String(failure)).toContain(`127.0.0.1:${port} is already in use: set CAIRN_OBSERVER_PORT to another port`);
  });

  test('lets go after the posts in hand when it is stopped', async () => {
    let finish = (_: bigint) => {};
    const held = new Promise<bigint>(resolve => {
      finish = resolve;
    });
    let appending = false;
    const observer = await observe({
      log: {
        append: () => {
          appending = true;
          return held;
        },
      },
    });
    const response = post(observer, '/new_block', '{}');
    await until(() => appending);
    const stopped = observer.stop();
    finish(1n);
    expect((await response).status).toBe(200);
    await stopped;
    await expect(post(observer, '/new_block', '{}')).rejects.toThrow();
  });

  test.each([
    ['/new_block', '/new_block'],
    ['/new_block/', '/new_block'],
    ['//new_block?x=1#y', '/new_block'],
    ['http://host:1/new_block?a=/b/', '/new_block'],
    ['http://host', '/'],
    ['/', '/'],
    ['*', '/'],
  ])('takes %s as %s', (given, path) => {
    expect(pathOf(given)).toBe(path);
  });
});

describe('a log that fails', () => {
  test('makes the node repeat: 503 while the disk is full, then 200, and the event is there once', async () => {
    const observer = await observe();
    await db.sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'no space left on device' using errcode = '53100'; end $$;
      create trigger refuse before insert on event_log for each row execute function refuse()`);
    const refused = await post(observer, '/new_block', '{}');
    await db.sql`drop function refuse cascade`;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.text()).not.toContain('space');
    expect((await post(observer, '/new_block', '{}')).status).toBe(200);
    expect(await stored()).toHaveLength(1);
    expect(posts.map(({ outcome }) => outcome)).toEqual(['unavailable', 'stored']);
  });

  test('makes the node repeat: 503 when the connection is lost, then 200 by itself', async () => {
    const pool = connect(db.url, { max: 1, name: 'lost' });
    const observer = await observe({ log: new EventLog(pool) });
    await post(observer, '/new_block', '1');
    await db.sql`
      create function die() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$
    `;
    await db.sql`create trigger die before insert on event_log for each row execute function die()`;
    expect((await post(observer, '/new_block', '2')).status).toBe(503);
    await db.sql`drop function die cascade`;
    // A node repeats; the first time may still meet the dying connection.
    await until(async () => (await post(observer, '/new_block', '2')).status === 200);
    expect((await stored()).map(event => event.body.toString())).toEqual(['1', '2']);
    await pool.end();
  });
});

test('several observers fill one log without gaps', async () => {
  const pools = [1, 2, 3].map(n => connect(db.url, { max: 1, name: `observer ${n}` }));
  const several = await Promise.all(pools.map(pool => observe({ log: new EventLog(pool) })));
  await Promise.all(
    several.flatMap(observer => Array.from({ length: 40 }, (_, n) => post(observer, '/new_block', `[${n}]`))),
  );
  expect((await stored()).map(event => event.id)).toEqual(Array.from({ length: 120 }, (_, i) => BigInt(i + 1)));
  await Promise.all(pools.map(pool => pool.end()));
});

test('twenty bodies of 20 MB at once are kept in bounded memory', async () => {
  const observer = await observe();
  // About what a block is to a compressor: much structure, and hex that is new each time.
  const rows = Array.from({ length: 1500 }, (_, i) => ({
    type: 'stx_transfer_event',
    txid: randomBytes(32).toString('hex'),
    event_index: i,
  }));
  const chunk = Buffer.from(JSON.stringify(rows));
  const size = 20 << 20;
  const before = process.memoryUsage.rss();
  let peak = 0;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const send = async () => {
    const sent = request(url(observer, '/new_block'), { method: 'POST', headers: { 'Content-Length': size } });
    for (let left = size; left > 0; left -= chunk.length) {
      if (!sent.write(left < chunk.length ? chunk.subarray(0, left) : chunk)) await once(sent, 'drain');
    }
    sent.end();
    const [response] = await once(sent, 'response');
    await response.resume().toArray();
    return response.statusCode;
  };
  const statuses = await Promise.all(Array.from({ length: 20 }, send));
  clearInterval(sampler);
  expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
  expect(await db.sql`select id from event_log where size = ${size}`).toHaveLength(20);
  // 400 MB were sent by this very process, which holds the senders' buffers as well.
  expect((peak - before) / 2 ** 20).toBeLessThan(200);
});

describe('who may post', () => {
  test('addresses that are not allowed get 403 and nothing is logged', async () => {
    const observer = await observe({ allow: ['10.0.0.0/8', '192.168.7.3'] });
    const answer = await post(observer, '/new_block', '{}');
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: '127.0.0.1 may not send events: CAIRN_OBSERVER_ALLOW does not name it' },
    ]);
    expect((await fetch(url(observer, '/'))).status).toBe(403);
    expect(posts.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect(await db.sql`select 1 from event_log`).toEqual([]);
  });

  test('addresses that are not allowed cannot take the connections of nodes', async t => {
    const observer = await observe({ host: '0.0.0.0', allow: ['127.0.0.1'] });
    let open = 0;
    const strangers = Array.from({ length: 600 }, () => {
      const socket = connectSocket({ port: observer.port, host: '127.0.0.1', localAddress: '127.0.0.9' });
      t.onTestFinished(() => void socket.destroy());
      open++;
      return new Promise<void>(resolve => {
        socket.on('error', () => {}).once('connect', resolve);
        socket.once('close', () => {
          open--;
          resolve();
        });
      });
    });
    await Promise.all(strangers);
    await until(() => open <= 16);
    expect((await post(observer, '/new_mempool_tx', '[]')).status).toBe(200);
  });

  test('networks and addresses that are allowed are taken', async () => {
    for (const allow of [['127.0.0.0/8'], ['127.0.0.1'], ['::1', '127.0.0.1']]) {
      const observer = await observe({ allow });
      expect((await post(observer, '/new_mempool_tx', '[]')).status).toBe(200);
    }
  });

  test('what a web page sends is refused', async () => {
    const observer = await observe();
    const headers = { origin: 'https://example.org' };
    const answer = await fetch(url(observer, '/new_block'), { method: 'POST', headers, body: '{}' });
    expect([answer.status, (await answer.json()) as object]).toEqual([403, { error: expect.stringMatching(/Origin/) }]);
    expect(await db.sql`select 1 from event_log`).toEqual([]);
  });
});
