import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCli } from '../../src/commands/cli.ts';
import { testDevnet } from '../support/devnet.ts';
import { serveChain } from '../support/served-chain.ts';

const endings: (() => Promise<void>)[] = [];
const apis: { url: string; api: Awaited<ReturnType<typeof serveChain>> }[] = [];

// Two services that received the same chain, each with a database of its own.
beforeAll(async () => {
  const { posted, live } = testDevnet();
  live(40);
  for (let i = 0; i < 2; i++) {
    const api = await serveChain({ onTestFinished: work => void endings.push(work) }, posted);
    apis.push({ url: await api.app.listen({ port: 0, host: '127.0.0.1' }), api });
  }
});

afterAll(async () => {
  for (const end of endings.reverse()) await end();
});

type ApiResponse = { status: number; body: string; headers?: Record<string, string> };

/** A server that passes requests on to the second API and may change what comes back. */
async function startProxy(change: (path: string, answer: ApiResponse) => ApiResponse): Promise<string> {
  const server = createServer(async (request, response) => {
    const path = request.url!;
    const { statusCode, body } = await apis[1]!.api.app.inject(path);
    const answer = change(path, { status: statusCode, body });
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  endings.push(async () => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function compare(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(text => out.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation(text => err.push(String(text)) > 0),
  ];
  try {
    const code = await runCli(['compare', '--api', apis[0]!.url, '--sample', '2', ...args], {});
    return { code, out: out.join(''), err: err.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

test('two services with the same chain have no difference', async () => {
  const { code, out, err } = await compare('--with', apis[1]!.url);
  expect(out).toMatch(/^\d+ responses compared, at or below block 34: 0 differ\n\d+ are the same, 0 differ only/);
  expect(Number(/^\d+/.exec(out)?.[0])).toBeGreaterThan(100);
  expect(out).not.toContain('could not be compared');
  expect(err).toMatch(/^comparing {2}100\.0 % {2}[\d,]+ requests {2}\d+\/s/m);
  expect(code).toBe(0);
});

test('a planted difference is printed with its path and both values', async () => {
  const block = (await apis[1]!.api.get('/extended/v2/blocks/34')) as { burn_block_time: number };
  const url = await startProxy((path, answer) =>
    path === '/extended/v2/blocks/34'
      ? { ...answer, body: answer.body.replace(`"burn_block_time":${block.burn_block_time}`, '"burn_block_time":7') }
      : answer,
  );
  const args = ['--with', url, '--only', '/extended/v2/blocks/{height_or_hash}'];
  const { code, out } = await compare(...args);
  expect(out.split('\n').slice(0, 3)).toEqual([
    'DIFFERENT: /extended/v2/blocks/34',
    `  burn_block_time: here ${block.burn_block_time}, there 7`,
    expect.stringMatching(/^\d+ responses compared, at or below block 34: 1 differ$/),
  ]);
  expect(code).toBe(1);
  const lines = (await compare(...args, '--json')).out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines).toEqual([
    {
      route: '/extended/v2/blocks/{height_or_hash}',
      path: '/extended/v2/blocks/34',
      differences: [{ field: 'burn_block_time', here: block.burn_block_time, there: 7 }],
    },
    { summary: expect.objectContaining({ height: 34, different: 1, known: 0, moved: 0, failed: 0 }) },
  ]);
});

test('a difference in an answer that follows the tip is found where both are at the same tip', async () => {
  const url = await startProxy((path, answer) =>
    path.startsWith('/extended/v1/stx_supply?') || path === '/extended/v1/stx_supply'
      ? { ...answer, body: answer.body.replace('"total_stx":"', '"total_stx":"9') }
      : answer,
  );
  const { code, out } = await compare('--with', url, '--only', 'stx_supply');
  expect(out).toContain('DIFFERENT: /extended/v1/stx_supply\n  total_stx: here');
  expect(out).toContain('DIFFERENT: /extended/v1/stx_supply?height=34\n  total_stx: here');
  expect(code).toBe(1);
});

test('what moved with the tip and what is not offered is counted apart', async () => {
  const url = await startProxy((path, answer) => {
    if (path === '/extended') {
      const status = JSON.parse(answer.body);
      // One block ahead all the time.
      const tip = { ...status.chain_tip, block_height: 41, index_block_hash: `0x${'11'.repeat(32)}` };
      return { ...answer, body: JSON.stringify({ ...status, chain_tip: tip }) };
    }
    if (path === '/extended/v2/blocks') return { ...answer, body: answer.body.replace(/"total":\d+/, '"total":41') };
    if (path !== '/extended/v2/burn-blocks') return answer;
    return { status: 404, body: JSON.stringify({ message: `Route GET:${path} not found`, error: 'Not Found' }) };
  });
  const { out, code } = await compare('--with', url, '--only', '/extended/v2/b');
  expect(out).toMatch(/^1 could not be compared: they differed while the two were at different tips$/m);
  expect(out).toMatch(/^not offered by the other API:\n {2}\/extended\/v2\/burn-blocks$/m);
  expect(out).toContain(': 0 differ\n');
  expect(code).toBe(0);
});

test('a rate limit is waited for as long as it says', async () => {
  let refused = 0;
  const url = await startProxy((path, answer) => {
    if (path !== '/extended/v2/blocks/34' || refused >= 2) return answer;
    refused++;
    return { status: 429, body: '{}', headers: { 'retry-after': '1' } };
  });
  const started = Date.now();
  const { code } = await compare('--with', url, '--only', '/extended/v2/blocks/{height_or_hash}');
  expect([code, refused]).toEqual([0, 2]);
  expect(Date.now() - started).toBeGreaterThan(1900);
});

test('a server that is down ends the command with what to do', async () => {
  const server = createServer();
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise(resolve => server.close(resolve));
  const { code, err, out } = await compare('--with', url);
  expect(err).toContain(`cairn: could not compare: ${url}/extended: connect ECONNREFUSED`);
  expect(err).toContain('cairn: check that the other API runs and that --with is its address, without /extended');
  expect([code, out]).toEqual([2, '']);
});

test('a server that goes away in the middle ends it too', async () => {
  let answers = 0;
  const url = await startProxy((_, answer) => (++answers > 4 ? { status: 502, body: '' } : answer));
  const { code, err } = await compare('--with', url, '--only', '/extended/v2', '--concurrency', '1');
  expect(err).toMatch(/^cairn: could not compare: http.*: status 502$/m);
  expect(code).toBe(2);
});

test('another chain is not compared', async () => {
  const url = await startProxy((path, answer) =>
    path === '/extended/v2/blocks/34'
      ? { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), index_block_hash: '0xother' }) }
      : answer,
  );
  const { code, err } = await compare('--with', url);
  expect(err).toMatch(/block 34 is 0x[0-9a-f]{64} here and 0xother there/);
  expect(code).toBe(2);
});

test.each([
  [[], 'cairn compare needs --with URL'],
  [['--with', 'localhost:3999'], '--with is an address that starts with http'],
  [['--with', 'http://x', '--sample', '0'], '--sample is a whole number from 1'],
  [['--with', 'http://x', '--concurrency', 'all'], '--concurrency is a whole number from 1'],
  [['--with', 'http://x', '--header', 'key'], '--header is NAME:VALUE'],
])('%j is refused', async (args, line) => {
  const { code, err } = await compare(...args);
  expect(err).toContain(line);
  expect(code).toBe(2);
});
