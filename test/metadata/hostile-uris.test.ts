import { getEventListeners } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { service } from '../../src/config/setting.ts';
import { createMetadataSource, type MetadataFetchConfig } from '../../src/metadata/fetch/metadata-fetch.ts';
import type { FetchFailure } from '../../src/metadata/metadata-source.ts';
import { startHostileServer } from '../support/hostile-server.ts';
import { selfSigned } from '../support/self-signed.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

const MAX_BYTES = 1_000_000;
/** The limit of one document, and what a busy machine may add to it. */
/** For documents that never end; others may take as long as a busy machine needs. */
const impatient = { metadataTimeout: 1 };

/** The server of strangers is at loopback, which only these tests allow; all other private networks stay refused. */
async function startHostile(t: Ending, more: Partial<MetadataFetchConfig> = {}, names: Record<string, string[]> = {}) {
  const server = await startHostileServer(t);
  const asked: string[] = [];
  const config: MetadataFetchConfig = {
    metadataIpfsGateway: service.parse('https://gate.example')!,
    metadataArweaveGateway: 'https://ar.example',
    metadataMaxBytes: MAX_BYTES,
    metadataTimeout: 60,
    metadataAllowHttp: true,
    metadataAllowPrivate: ['127.0.0.1'],
    metadataPorts: [80, 443, server.port],
    metadataHostConnections: 4,
    metadataCacheBytes: 8_000_000,
    ...more,
  };
  const resolve = async (host: string) => {
    asked.push(host);
    const found = names[host];
    if (!found) throw Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' });
    return found;
  };
  const source = createMetadataSource(config, 'full', { resolve });
  t.onTestFinished(() => source.close());
  const read = (uri: string) => source(uri, 1n, new AbortController().signal);
  const web = (path: string) => read(`http://127.0.0.1:${server.port}${path}`);
  const failureAt = async (uri: string): Promise<FetchFailure> => {
    const found = await read(uri.startsWith('/') ? `http://127.0.0.1:${server.port}${uri}` : uri);
    if (!('failure' in found)) throw new Error(`${uri} gave ${JSON.stringify(found.metadata)}`);
    return found.failure;
  };
  const nameAt = async (path: string) => {
    const found = await web(path);
    return 'failure' in found ? found.failure : found.metadata.name;
  };
  return { server, asked, source, read, web, failureAt, nameAt };
}

const peakOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  await work();
  clearInterval(timer);
  return Math.max(peak, process.memoryUsage().rss) - before;
};

test.each([
  ['/endless', 'metadata_too_large', false],
  ['/long', 'metadata_too_large', false],
  ['/long-announced', 'metadata_too_large', false],
  ['/gzip-bomb', 'metadata_too_large', false],
  ['/br-bomb', 'metadata_too_large', false],
  ['/drip', 'metadata_timeout', true],
  ['/silent-head', 'metadata_timeout', true],
  ['/silent-body', 'metadata_timeout', true],
  ['/gzip-cut', 'metadata_invalid', false],
  ['/gzip-lie', 'metadata_invalid', false],
  ['/encoding', 'metadata_invalid', false],
  ['/loop', 'too_many_redirects', false],
  ['/nowhere', 'metadata_unreachable', false],
  ['/html', 'metadata_invalid', false],
  ['/html-as-json', 'metadata_invalid', false],
  ['/picture', 'metadata_invalid', false],
  ['/array', 'metadata_invalid', false],
  ['/empty', 'metadata_invalid', false],
  ['/broken', 'metadata_invalid', false],
  ['/deep', 'metadata_invalid', false],
  ['/crowded', 'metadata_invalid', false],
  ['/long-name', 'metadata_invalid', false],
  ['/not-utf8', 'metadata_invalid', false],
  ['/headers', 'metadata_invalid', false],
  ['/garbage', 'metadata_invalid', false],
  ['/limited', 'metadata_unreachable', true],
  ['/unavailable', 'metadata_unreachable', true],
  ['/missing', 'metadata_unreachable', false],
  ['/reset', 'metadata_unreachable', true],
  ['/cut', 'metadata_unreachable', true],
])('%s gives %s and takes little memory', async (path, code, transient) => {
  const context: (() => Promise<void>)[] = [];
  const t = { onTestFinished: (work: () => Promise<void>) => void context.unshift(work) };
  try {
    const { failureAt } = await startHostile(t, code === 'metadata_timeout' ? impatient : {});
    let failure: FetchFailure | undefined;
    const bytes = await peakOf(async () => {
      failure = await failureAt(path);
    });
    expect(failure).toMatchObject({ code, transient });
    // Far below the 64 MB of a bomb and the endless stream, with room for the server and the test runner.
    expect(bytes).toBeLessThan(60_000_000);
  } finally {
    for (const work of context) await work();
  }
});

test('compressed documents, wrong types and odd texts are read as what they are', async t => {
  const { web, nameAt } = await startHostile(t);
  expect(await nameAt('/fine')).toBe('fine');
  expect(await nameAt('/gzip')).toBe('packed');
  expect(await nameAt('/br')).toBe('packed');
  expect(await web('/types')).toMatchObject({ metadata: { description: 'd', raw: { name: ['x'], image: 5 } } });
  expect(await web('/bidi')).toMatchObject({
    metadata: { name: 'a\u202ecba\ufffd', description: '<script>alert(1)</script>' },
  });
});

const privateAddresses = [
  ...['127.0.0.2', '10.0.0.1', '172.16.5.5', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
  ...['224.0.0.1', '255.255.255.255', '198.18.0.1', '168.63.129.16', '192.0.2.1'],
  ...['[::1]', '[::]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[ff02::1]', '[::ffff:10.0.0.1]', '[::10.0.0.1]'],
  ...[
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001:0:1::1]',
    '[2001:db8::1]',
    '[::ffff:0:7f00:1]',
  ],
];

test('no URI and no redirect leads to an address that is not public', async t => {
  const { failureAt, server } = await startHostile(t);
  for (const host of [...privateAddresses, '2130706434', '0x7f.2', '127.2', '017700000002']) {
    expect(await failureAt(`https://${host}/`), host).toMatchObject({ code: 'address_refused', transient: false });
    const redirect = `/${encodeURIComponent(`https://${host}/`)}`;
    expect(await failureAt(redirect), redirect).toMatchObject({ code: 'address_refused' });
  }
  expect(server.requests.map(({ url }) => decodeURIComponent(url)).every(url => url.startsWith('/https://'))).toBe(
    true,
  );
});

test('loopback is refused too unless the operator allows it', async t => {
  const { failureAt, server } = await startHostile(t, { metadataAllowPrivate: [] });
  expect(await failureAt('/fine')).toMatchObject({ code: 'address_refused' });
  expect(await failureAt(`http://[::ffff:127.0.0.1]:${server.port}/fine`)).toMatchObject({ code: 'address_refused' });
  expect(server.requests).toEqual([]);
});

test('a name is refused when one of its addresses is not public', async t => {
  const { failureAt, server, asked } = await startHostile(
    t,
    { metadataAllowPrivate: [] },
    { 'loop.example': ['127.0.0.1'], 'both.example': ['93.184.216.34', '10.0.0.1'], 'six.example': ['::1'] },
  );
  for (const host of ['loop.example', 'both.example', 'six.example']) {
    const failure = await failureAt(`http://${host}:${server.port}/fine`);
    expect(failure).toMatchObject({ code: 'address_refused' });
    expect(failure.message).not.toMatch(/\d+\.\d+\.\d+/);
  }
  expect(await failureAt(`http://none.example:${server.port}/`)).toMatchObject({ code: 'metadata_unreachable' });
  expect(asked).toEqual(['loop.example', 'both.example', 'six.example', 'none.example']);
  expect(server.requests).toEqual([]);
});

test('a name that changes its address is judged by the address that is connected to', async t => {
  const names = { 'rebind.example': ['127.0.0.1'] };
  const { failureAt, read, server, asked } = await startHostile(t, {}, names);
  const at = (path: string) => `http://rebind.example:${server.port}${path}`;
  server.own['/close'] = response =>
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{"name":"x"}');
  expect(await read(at('/close'))).toMatchObject({ metadata: { name: 'x' } });
  names['rebind.example'] = ['10.0.0.1'];
  expect(await failureAt(at('/fine'))).toMatchObject({ code: 'address_refused' });
  // Each connection resolves the name once: what was checked is what is connected to.
  expect(asked).toEqual(['rebind.example', 'rebind.example']);
});

test('other schemes, credentials and ports are refused, also after a redirect', async t => {
  const { failureAt, server } = await startHostile(t);
  for (const uri of ['ftp://127.0.0.1/', 'file:///etc/passwd', `http://a:b@127.0.0.1:${server.port}/fine`]) {
    expect(await failureAt(`/${encodeURIComponent(uri)}`), uri).toMatchObject({ code: 'address_refused' });
  }
  expect(await failureAt('http://127.0.0.1:22/')).toMatchObject({ code: 'address_refused' });
  expect(await failureAt('data:application/json,[')).toMatchObject({ code: 'metadata_invalid' });
});

test('http is refused unless it is allowed', async t => {
  const { failureAt } = await startHostile(t, { metadataAllowHttp: false });
  expect(await failureAt('/fine')).toMatchObject({ code: 'address_refused' });
});

test('certificates are verified', async t => {
  const reached: string[] = [];
  const other = createServer(selfSigned, (request, response) => {
    reached.push(request.url ?? '');
    response.end('{"name":"x"}');
  });
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(async () => void (await new Promise(resolve => other.close(resolve))));
  const { port } = other.address() as AddressInfo;
  const { failureAt } = await startHostile(t, { metadataPorts: [port] });
  expect(await failureAt(`https://127.0.0.1:${port}/`)).toMatchObject({
    code: 'metadata_unreachable',
    transient: false,
  });
  expect(reached).toEqual([]);
});

test('a host that asks for a pause gets no request until it is over', async t => {
  const { failureAt, nameAt, server } = await startHostile(t);
  expect(await failureAt('/limited')).toMatchObject({ transient: true, retryAfterMs: 120_000 });
  const failure = await failureAt('/fine');
  expect(failure).toMatchObject({ code: 'metadata_unreachable', transient: true });
  expect(failure.retryAfterMs).toBeGreaterThan(0);
  expect(failure.retryAfterMs).toBeLessThanOrEqual(120_000);
  expect(server.requests).toHaveLength(1);
  expect(await nameAt('/fine')).toMatchObject({ code: 'metadata_unreachable' });
});

test('a document that many tokens share is requested once', async t => {
  const { read, server } = await startHostile(t);
  const uri = `http://127.0.0.1:${server.port}/fine`;
  await Promise.all(Array.from({ length: 20 }, () => read(uri)));
  await read(uri);
  expect(server.requests).toHaveLength(1);
});

test('requests have the name of Cairn and no cookies', async t => {
  const { nameAt, server } = await startHostile(t);
  await nameAt('/cookies');
  await nameAt('/cookies?again');
  for (const { headers } of server.requests) {
    expect(headers['user-agent']).toMatch(/^cairn\/\d/);
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('authorization');
  }
});

test('a slow host does not hold more than its share of requests', async t => {
  const { failureAt, server } = await startHostile(t, { ...impatient, metadataHostConnections: 2 });
  const failures = await Promise.all(Array.from({ length: 5 }, (_, i) => failureAt(`/silent-head?${i}`)));
  expect(failures.every(({ transient }) => transient)).toBe(true);
  expect(server.requests.length).toBeLessThan(5);
});

test('a cancelled request ends at once', async t => {
  const { source, server } = await startHostile(t, { metadataTimeout: 30 });
  const controller = new AbortController();
  const reading = source(`http://127.0.0.1:${server.port}/drip`, 1n, controller.signal);
  await expect.poll(() => server.requests.length).toBe(1);
  controller.abort();
  expect(await reading).toMatchObject({ failure: { code: 'unknown', transient: true } });
});

test('nothing is left behind on the signal that all tokens share', async t => {
  const { source, server } = await startHostile(t, impatient);
  const { signal } = new AbortController();
  const paths = ['/fine', '/loop', '/drip', '/html', '/reset', ...Array.from({ length: 20 }, (_, i) => `/fine?${i}`)];
  await Promise.all(paths.map(path => source(`http://127.0.0.1:${server.port}${path}`, 1n, signal)));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
