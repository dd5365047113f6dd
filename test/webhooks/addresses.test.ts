import { expect, test } from 'vitest';
import { readDefinition } from '../../src/webhooks/definition.ts';
import { HttpSender, type HttpSenderOptions } from '../../src/webhooks/http-sender.ts';
import { startHostileServer } from '../support/hostile-server.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

const define = (url: string, allow: readonly string[] = []) => readDefinition({ name: 'hook', url }, allow);

const privateHosts = [
  ...['127.0.0.1', '10.0.0.1', '172.16.5.5', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
  ...['2130706433', '0x7f000001', '0x7f.1', '017700000001', '127.1', '%31%32%37.0.0.1', '１２７.0.0.1'],
  ...['[::1]', '[::]', '[fc00::1]', '[fe80::1]', '[ff02::1]', '[::ffff:10.0.0.1]', '[::ffff:7f00:1]', '[::10.0.0.1]'],
  ...['[64:ff9b::10.0.0.1]', '[2002:7f00:1::]', '[2001:db8::1]', '[0:0:0:0:0:ffff:127.0.0.1]'],
];

test.each(privateHosts)('a hook at %s is refused, whatever the spelling', host => {
  expect(() => define(`https://${host}/`)).toThrow(/is refused: it is not a public address/);
  expect(() => define(`http://${host}/`)).toThrow(/is refused/);
});

test('https leads to the outside, http only to networks that the operator allows', () => {
  expect(define('https://example.org/hook?a=1').url).toBe('https://example.org/hook?a=1');
  expect(define('https://8.8.8.8').url).toBe('https://8.8.8.8/');
  expect(define('http://10.1.2.3:8080/x', ['10.0.0.0/8']).url).toBe('http://10.1.2.3:8080/x');
  expect(define('https://[::ffff:10.1.2.3]/', ['10.0.0.0/8']).url).toBe('https://[::ffff:a01:203]/');
  for (const [url, words, allow = []] of [
    ['http://example.org', 'http is sent only to networks of CAIRN_WEBHOOK_ALLOW'],
    ['http://8.8.8.8', '8.8.8.8 is refused', ['10.0.0.0/8']],
    ['http://192.168.0.1', '192.168.0.1 is refused', ['10.0.0.0/8']],
    ['ftp://example.org', 'only https'],
    ['file:///etc/passwd', 'only https'],
    ['https://user:pass@example.org', 'user names and passwords'],
    ['https://example.org/#x', 'fragment'],
    ['example.org', 'expected a URL'],
    [`https://example.org/${'x'.repeat(2048)}`, 'url'],
  ] as const)
    expect(() => define(url, allow), url).toThrow(words);
});

test('malformed definitions are refused with what is wrong', () => {
  const url = 'https://example.org/';
  for (const [body, words] of [
    [undefined, 'expected {"name", "url"'],
    [[], 'expected {"name"'],
    [{ url }, 'name'],
    [{ name: '../x', url }, 'name'],
    [{ name: 'a', url, filter: { topic: ['blocks'] } }, 'filter'],
    [{ name: 'a', url, filter: { topics: ['nothing'] } }, 'filter.topics.0'],
    [{ name: 'a', url, filter: { topics: ['blocks'], asset: 'STX' } }, 'filter asset'],
    [{ name: 'a', url, filter: { contract: 'nobody' } }, 'not a contract'],
    [{ name: 'a', url, secret: 'abc' }, 'secret: expected whsec_'],
    [{ name: 'a', url, secret: `whsec_${Buffer.alloc(8).toString('base64')}` }, 'secret: expected whsec_'],
    [{ name: 'a', url, start: -1 }, 'start'],
    [{ name: 'a', url, start: 'yesterday' }, 'start'],
    [{ name: 'a', url, payload: 2 }, 'payload'],
    [{ name: 'a', url, batch: 0 }, 'batch'],
    [{ name: 'a', url, more: 1 }, 'expected {"name"'],
  ] as const)
    expect(() => readDefinition(body, []), JSON.stringify(body)).toThrow(words);
});

function openSender(t: Ending, options: Partial<HttpSenderOptions> = {}) {
  const sender = new HttpSender({ allow: ['127.0.0.1'], timeoutMs: 60_000, ...options });
  t.onTestFinished(() => sender.close());
  return (url: string) => sender.post(url, {}, '{}', new AbortController().signal);
}

test('a name that leads to a private address, or begins to, stops the hook', async t => {
  const server = await startHostileServer(t);
  const names: Record<string, string[]> = {
    'inside.example': ['10.0.0.1'],
    'mixed.example': ['127.0.0.1', '192.168.0.1'],
    'mapped.example': ['::ffff:169.254.169.254'],
    'moving.example': ['127.0.0.1'],
  };
  const post = openSender(t, { resolve: async host => names[host]! });
  for (const host of ['inside.example', 'mixed.example', 'mapped.example'])
    for (const scheme of ['http', 'https'])
      expect(await post(`${scheme}://${host}:${server.port}/fine`), host).toMatchObject({
        ...{ ok: false, next: 'pause', error: expect.stringContaining('address that is not allowed') },
      });
  expect(server.requests).toEqual([]);

  server.own['/close'] = response => response.writeHead(200, { connection: 'close' }).end();
  const moving = `http://moving.example:${server.port}/close`;
  expect(await post(moving)).toMatchObject({ ok: true, status: 200 });
  names['moving.example'] = ['10.0.0.1'];
  expect(await post(moving)).toMatchObject({ ok: false, next: 'pause' });
  // http is not sent to public addresses, even if a name leads there.
  names['moving.example'] = ['8.8.8.8'];
  expect(await post(moving)).toMatchObject({ ok: false, next: 'pause' });
});

test('localhost is this machine', async t => {
  const server = await startHostileServer(t);
  expect(await openSender(t)(`http://localhost:${server.port}/fine`)).toMatchObject({ ok: true });
});

test.each([
  ['/fine', { ok: true, status: 200 }],
  ['/gzip-bomb', { ok: true }],
  ['/endless', { ok: false, next: 'retry', error: 'the response has more than 65536 bytes' }],
  ['/long', { ok: false, error: 'the response has more than 65536 bytes' }],
  ['/http%3A%2F%2F10.0.0.1%2F', { ok: false, status: 302, error: expect.stringContaining('redirects') }],
  ['/loop', { ok: false, status: 302, error: expect.stringContaining('redirects') }],
  ['/limited', { ok: false, status: 429, next: 'retry', askedMs: 120_000 }],
  ['/unavailable', { ok: false, status: 503, askedMs: 60_000 }],
  ['/missing', { ok: false, status: 404, next: 'retry' }],
  ['/reset', { ok: false, status: undefined, error: expect.stringContaining('cannot be reached') }],
  ['/cut', { ok: false, next: 'retry' }],
  ['/headers', { ok: false, next: 'retry' }],
  ['/garbage', { ok: false, error: 'the receiver does not speak HTTP' }],
])('a receiver that responds as %s is judged once', async (path, expected) => {
  const ends: (() => Promise<void>)[] = [];
  const t = { onTestFinished: (work: () => Promise<void>) => void ends.unshift(work) };
  try {
    const server = await startHostileServer(t);
    expect(await openSender(t)(`http://127.0.0.1:${server.port}${path}`)).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  } finally {
    for (const end of ends) await end();
  }
});

test.each(['/drip', '/silent-head', '/silent-body', '/long-announced'])(
  'a receiver that is as slow as %s is left',
  async path => {
    const ends: (() => Promise<void>)[] = [];
    const t = { onTestFinished: (work: () => Promise<void>) => void ends.unshift(work) };
    try {
      const server = await startHostileServer(t);
      const outcome = await openSender(t, { timeoutMs: 500 })(`http://127.0.0.1:${server.port}${path}`);
      expect(outcome).toMatchObject({ ok: false, next: 'retry', error: 'the receiver is too slow' });
    } finally {
      for (const end of ends) await end();
    }
  },
);

test('a host that does not exist or does not listen is tried again', async t => {
  const unknown = async () => {
    throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
  };
  expect(await openSender(t, { resolve: unknown })('https://nowhere.example/')).toMatchObject({
    ...{ ok: false, next: 'retry', error: 'the receiver cannot be reached (ENOTFOUND)' },
  });
  expect(await openSender(t)('http://127.0.0.1:1/')).toMatchObject({ ok: false, next: 'retry' });
});
