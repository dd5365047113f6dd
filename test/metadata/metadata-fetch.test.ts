import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { service } from '../../src/config/setting.ts';
import { createMetadataSource, type MetadataFetchConfig } from '../../src/metadata/fetch/metadata-fetch.ts';
import { readLifetime } from '../../src/metadata/fetch/response-headers.ts';
import { readRetryAfter } from '../../src/outbound/retry-after.ts';
import { startHostileServer } from '../support/hostile-server.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWaqVWs';

async function start(t: Ending, mode: 'chain' | 'full' = 'full', metadataTimeout = 60) {
  const server = await startHostileServer(t);
  const base = `http://127.0.0.1:${server.port}`;
  const config: MetadataFetchConfig = {
    metadataIpfsGateway: service.parse(`${base}/gate|header=x-api-key:secret`)!,
    metadataArweaveGateway: `${base}/ar`,
    metadataMaxBytes: 100_000,
    metadataTimeout,
    metadataAllowHttp: false,
    metadataAllowPrivate: ['127.0.0.0/8'],
    metadataPorts: [443],
    metadataHostConnections: 4,
    metadataCacheBytes: 1_000_000,
  };
  const source = createMetadataSource(config, mode);
  t.onTestFinished(() => source.close());
  const read = (uri: string, id = 7n) => source(uri, id, new AbortController().signal);
  const serve = (path: string, value: unknown, headers: Record<string, string> = {}) => {
    server.own[path] = response =>
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };
  return { server, base, read, serve };
}

test('the gateways of the operator are used with their own scheme, port and headers', async t => {
  const { base, read, serve, server } = await start(t);
  serve(`/gate/ipfs/${cid}/7.json`, { name: 'Seven', image: `ipfs://${cid}/{id}.png` });
  serve('/ar/abc/7', { name: 'Weave', image: 'ar://pic' });
  expect(await read(`ipfs://${cid}/{id}.json`)).toMatchObject({
    metadata: { name: 'Seven', image: `ipfs://${cid}/7.png`, imageUrl: `${base}/gate/ipfs/${cid}/7.png` },
  });
  expect(await read('ar://abc/$TOKEN_ID')).toMatchObject({ metadata: { imageUrl: `${base}/ar/pic` } });
  expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['secret', undefined]);
  // A contract that names the gateway by itself gets no exception.
  expect(await read(`${base}/gate/ipfs/${cid}/7.json`)).toMatchObject({ failure: { code: 'address_refused' } });
});

test('the headers for a gateway do not follow a redirect to another host', async t => {
  const { read, server } = await start(t);
  const other = await startHostileServer(t, '127.0.0.2');
  server.own[`/gate/ipfs/${cid}`] = response =>
    response.writeHead(302, { location: `http://127.0.0.2:${other.port}/fine` }).end();
  expect(await read(`ipfs://${cid}`)).toMatchObject({ failure: { code: 'address_refused' } });
  expect(other.requests).toEqual([]);
});

test('data: documents are read in both modes, and nothing else in the mode chain', async t => {
  const { read, server } = await start(t, 'chain');
  const picture = 'data:image/svg+xml;base64,PHN2Zy8+';
  const json = JSON.stringify({ name: 'On chain #{id}', image: picture });
  const base64 = Buffer.from(json).toString('base64');
  for (const uri of [`data:application/json;base64,${base64}`, `data:application/json,${json}`]) {
    expect(await read(uri)).toMatchObject({ metadata: { name: 'On chain #7', image: picture, imageUrl: picture } });
  }
  expect(await read(`ipfs://${cid}`)).toMatchObject({ failure: { code: 'metadata_unreachable', transient: false } });
  expect(await read('data:text/html,<p>')).toMatchObject({ failure: { code: 'metadata_invalid' } });
  expect(await read(`data:,${'x'.repeat(200_000)}`)).toMatchObject({ failure: { code: 'metadata_too_large' } });
  expect(await read('data:,{"name":"50%25 off"}')).toMatchObject({ metadata: { name: '50% off' } });
  expect(await read('data:,{"name":"quote %22"}')).toMatchObject({ metadata: { name: 'quote %22' } });
  expect(server.requests).toEqual([]);
});

test('pictures are passed on only where clients can be sent to', async t => {
  const { read } = await start(t);
  const imageUrlOf = async (image: string) => {
    const found = await read(`data:,${JSON.stringify({ name: 'x', image })}`);
    return 'failure' in found ? found.failure : found.metadata.imageUrl;
  };
  expect(await imageUrlOf('http://example.org/a.png')).toBe('http://example.org/a.png');
  for (const image of ['http://10.0.0.1/a.png', 'http://localhost/a', 'http://[::1]/', 'javascript:x', 'a.png']) {
    expect(await imageUrlOf(image), image).toBeUndefined();
  }
  expect(await imageUrlOf(`data:image/png;base64,${'A'.repeat(90_000)}`)).toMatch(/^data:image/);
  expect(await imageUrlOf('data:text/html;base64,AAAA')).toBeUndefined();
});

test('locales are merged, and a failing locale does not fail the token', async t => {
  const { read, serve } = await start(t);
  const uri = `ipfs://${cid}/{locale}.json`;
  const localization = { uri, default: 'en', locales: ['en', 'es', 'fr', 'de'] };
  serve(`/gate/ipfs/${cid}/.json`, { name: 'Rock', description: 'A rock', localization });
  serve(`/gate/ipfs/${cid}/es.json`, { sip: 16, name: 'Roca {id}' });
  serve(`/gate/ipfs/${cid}/fr.json`, ['wrong']);
  const found = await read(uri);
  if ('failure' in found) throw new Error(found.failure.message);
  expect([...found.locales.keys()].sort()).toEqual(['en', 'es']);
  expect(found.locales.get('en')).toBe(found.metadata);
  expect(found.locales.get('es')).toMatchObject({ name: 'Roca 7', description: 'A rock', localization });
});

test('requests to a gateway wait for their turn instead of failing', async t => {
  const { read, server } = await start(t, 'full', 6);
  let open = 0;
  let most = 0;
  const answer = (response: ServerResponse) => {
    most = Math.max(most, ++open);
    // Two in a row take longer than the time limit of one document.
    setTimeout(() => {
      open--;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"x"}');
    }, 3200);
  };
  const uris = Array.from({ length: 8 }, (_, i) => `ipfs://${cid}/${i}`);
  for (const i of uris.keys()) server.own[`/gate/ipfs/${cid}/${i}`] = answer;
  const found = await Promise.all(uris.map(uri => read(uri)));
  expect(found.filter(each => 'failure' in each)).toEqual([]);
  expect(most).toBe(4);
});

test('a document says until when it is fresh', async t => {
  const { read, serve } = await start(t);
  serve(`/gate/ipfs/${cid}/1`, { name: 'x' }, { 'cache-control': 'public, max-age=86400' });
  serve(`/gate/ipfs/${cid}/2`, { name: 'x' });
  const found = await read(`ipfs://${cid}/1`);
  const freshMs = 'failure' in found ? 0 : found.freshUntil!.getTime() - Date.now();
  expect(freshMs).toBeGreaterThan(86_000_000);
  expect(freshMs).toBeLessThanOrEqual(86_400_000);
  expect(await read(`ipfs://${cid}/2`)).not.toHaveProperty('freshUntil');
});

test('lifetimes and pauses are read within bounds', () => {
  const minute = 60_000;
  const fresh = (headers: Record<string, string>) => readLifetime(headers).freshMs;
  expect(fresh({})).toBeUndefined();
  expect(fresh({ 'cache-control': 'max-age=0' })).toBe(10 * minute);
  expect(fresh({ 'cache-control': 'max-age=3600', age: '600' })).toBe(50 * minute);
  expect(fresh({ 'cache-control': 'max-age=60, s-maxage=7200' })).toBe(120 * minute);
  expect(fresh({ 'cache-control': 'immutable, max-age=999999999' })).toBe(30 * 1440 * minute);
  expect(fresh({ expires: '0' })).toBeGreaterThanOrEqual(10 * minute);
  const date = 'Wed, 18 Nov 2026 00:00:00 GMT';
  expect(fresh({ date, expires: 'Wed, 18 Nov 2026 02:00:00 GMT' })).toBe(120 * minute);
  expect(readLifetime({ 'cache-control': 'No-Store' })).toEqual({ freshMs: 10 * minute, storable: false });
  expect(readRetryAfter(undefined)).toBe(minute);
  expect(readRetryAfter('5')).toBe(5000);
  expect(readRetryAfter('soon')).toBe(minute);
  expect(readRetryAfter('999999999')).toBe(6 * 60 * minute);
  expect(readRetryAfter(date, Date.parse(date) - 9000)).toBe(9000);
});
