import { expect, test } from 'vitest';
import { readExplorer } from '../../src/api/explorer/files.ts';
import { pictureTypeOf } from '../../src/chain/tokens/picture-type.ts';
import { service } from '../../src/config/setting.ts';
import { openPictures } from '../../src/metadata/fetch/picture-source.ts';
import { startShell } from '../support/api.ts';
import { testDevnet } from '../support/devnet.ts';
import { startHostileServer } from '../support/hostile-server.ts';
import { callerOf, settled, startWorker } from '../support/metadata.ts';
import { serveChain } from '../support/served-chain.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1');
const svg =
  "<?xml version='1.0'?>\n<!-- drawn by hand -->\n<svg xmlns='http://www.w3.org/2000/svg'><script>hacked=1</script></svg>";

test('the type of a picture is what its bytes are', () => {
  const types: [string | Buffer, string | undefined][] = [
    [png, 'image/png'],
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['\0\0\0\x20ftypavif', 'image/avif'],
    [svg, 'image/svg+xml'],
    ['<svg/>', undefined],
    ['<html><svg ></svg></html>', undefined],
    [`<!--${'-'.repeat(100_000)}`, undefined],
    ['{"name":"x"}', undefined],
    ['', undefined],
  ];
  for (const [bytes, type] of types)
    expect([String(bytes).slice(0, 40), pictureTypeOf(Buffer.from(bytes as never))]).toEqual([
      String(bytes).slice(0, 40),
      type,
    ]);
});

async function start(t: Parameters<typeof startHostileServer>[0]) {
  const server = await startHostileServer(t);
  const base = `http://127.0.0.1:${server.port}`;
  const read = openPictures({
    metadataIpfsGateway: service.parse(`${base}/gate`)!,
    metadataArweaveGateway: `${base}/ar`,
    metadataMaxBytes: 1024,
    metadataPictureBytes: 100_000,
    metadataFetches: 2,
    metadataTimeout: 60,
    metadataAllowHttp: true,
    metadataAllowPrivate: ['127.0.0.0/8'],
    metadataPorts: [server.port],
    metadataHostConnections: 4,
    metadataCacheBytes: 1_000_000,
  });
  t.onTestFinished(() => read.close());
  const serve = (path: string, type: string, bytes: Buffer | string) => {
    server.own[path] = response => response.writeHead(200, { 'content-type': type }).end(bytes);
    return base + path;
  };
  return { server, base, read: (uri: string) => read(uri, new AbortController().signal), serve };
}

test('a picture is fetched once, with the type that it has, also through a gateway', async t => {
  const { read, serve, server } = await start(t);
  const url = serve('/a', 'application/octet-stream', png);
  const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWaqVWs';
  serve(`/gate/ipfs/${cid}/1.svg`, 'text/plain', svg);
  expect(await Promise.all([read(url), read(url), read(url)])).toEqual(
    Array(3).fill({ type: 'image/png', bytes: png }),
  );
  expect(await read(`ipfs://${cid}/1.svg`)).toEqual({ type: 'image/svg+xml', bytes: Buffer.from(svg) });
  expect(server.requests.map(request => request.url)).toEqual(['/a', `/gate/ipfs/${cid}/1.svg`]);
});

test('what is no picture, too large, or not public is refused with the reason', async t => {
  const { read, serve, base } = await start(t);
  const problems = {
    [serve('/page', 'image/png', '<html><script>hacked=1</script></html>')]: 'not a picture',
    [serve('/html', 'text/html', png)]: 'not a picture',
    [serve('/large', 'image/png', Buffer.concat([png, Buffer.alloc(100_000)]))]: 'too large',
    [`${base}/missing`]: 'status 404',
    'http://10.0.0.1/a.png': 'not allowed',
    'ftp://example.org/a.png': 'not supported',
    'javascript:hacked=1': 'not supported',
    'data:image/png;base64,AAAA': 'in the URI itself',
  };
  for (const [uri, problem] of Object.entries(problems)) {
    expect([uri, await read(uri)]).toEqual([uri, { problem: expect.stringContaining(problem) }]);
  }
});

test('an endless picture ends at the bound', async t => {
  const { read, server, base } = await start(t);
  server.own['/pour'] = response => {
    response.writeHead(200, { 'content-type': 'image/png' }).write(png);
    const next = () => {
      while (!response.destroyed && response.write(Buffer.alloc(60_000)));
      if (!response.destroyed) response.once('drain', next);
    };
    next();
  };
  expect(await read(`${base}/pour`)).toEqual({ problem: expect.stringMatching(/too large|more than/) });
});

test('the picture of a token comes from the same origin, and can run nothing there', async t => {
  const explorer = readExplorer();
  if (!explorer) throw new Error('npm test builds the explorer');
  const devnet = testDevnet();
  devnet.live(25);
  const asked: string[] = [];
  const { app, database, get } = await serveChain(t, devnet.posted, {
    explorer,
    pictures: async uri => {
      asked.push(uri);
      return uri.endsWith('.svg')
        ? { type: 'image/svg+xml', bytes: Buffer.from(svg) }
        : { problem: 'the host is too slow' };
    },
  });
  startWorker(t, database.sql, devnet.node, {
    call: callerOf(devnet.node),
    source: async (_uri, number) => {
      const image = number === 1n ? 'ipfs://one.svg' : 'https://slow.example/2';
      return { metadata: { name: 'x', image, raw: {} } as never, locales: new Map() };
    },
  });
  await settled(database.sql);
  const marbles = devnet.residents.contract('marbles');
  const { headers, body } = await app.inject(`/pictures/${marbles}/1`);
  expect(body).toBe(svg);
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=86400',
    'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/),
  });
  const slow = await app.inject(`/pictures/${marbles}/2`);
  expect([slow.statusCode, slow.json().message]).toEqual([502, 'The picture cannot be had: the host is too slow']);
  for (const wrong of [`${marbles}/99999`, `${marbles}/${'9'.repeat(39)}`, `${devnet.residents.contract('pool')}/1`])
    expect((await app.inject(`/pictures/${wrong}`)).statusCode).toBe(404);
  expect((await app.inject('/pictures/nothing/1')).statusCode).toBe(400);
  expect(asked).toEqual(['ipfs://one.svg', 'https://slow.example/2']);
  expect(await get('/pictures')).toEqual({ fetched: true });
});

test('without CAIRN_METADATA=full the explorer is told that there are no pictures, and asks for none', async t => {
  const explorer = readExplorer();
  const { app } = await startShell(t, { current: undefined }, { ...(explorer && { explorer }) });
  expect((await app.inject('/pictures')).json()).toEqual({ fetched: false });
  expect((await app.inject('/pictures/ST000000000000000000002AMW42H.pox/1')).statusCode).toBe(404);
});
