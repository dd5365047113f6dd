import { fileURLToPath } from 'node:url';
import { bridgeUser } from '@cairn-stacks/devnet/residents/sbtc-actions';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RateGate } from '../../src/http/limits/rate-limits.ts';
import { tools } from '../../src/mcp/tool-list.ts';
import { testDevnet } from '../support/devnet.ts';
import { callerOf } from '../support/metadata.ts';
import { build } from '../support/running-service.ts';
import { type ServedChain, serveChain } from '../support/served-chain.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** A client that is not this machine, and may do little. */
const LIMITED = '203.0.113.7';

type Row = Record<string, string>;
type Answer = {
  data: Record<string, unknown>;
  error?: string;
  status?: number;
  what_to_do?: string;
  next_cursor?: string;
};

let api: ServedChain;
let base: string;
let client: Client;
const ends: (() => Promise<void>)[] = [];

const { node, residents, posted, live } = testDevnet({ seed: 7 });
const pool = residents.contract('pool');
const stone = `${residents.contract('stone')}::stone`;

beforeAll(async () => {
  live(24);
  const rates = new RateGate({ perSecond: 1, burst: 6, trustedProxies: ['127.0.0.1'] });
  const shell = { callReadOnly: callerOf(node), rates };
  api = await serveChain({ onTestFinished: end => void ends.unshift(end) }, posted, shell);
  base = await api.app.listen({ port: 0, host: '127.0.0.1' });
  client = await connect();
});

afterAll(async () => {
  await client.close();
  for (const end of ends) await end();
});

async function connect(headers: Record<string, string> = {}): Promise<Client> {
  const made = new Client({ name: 'test', version: '1' });
  await made.connect(new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit: { headers } }));
  return made;
}

/** Calls a tool; `failed` says that the answer is an error. */
async function ask(
  name: string,
  values: object = {},
  by = client,
): Promise<Answer & { failed: boolean; text: string }> {
  const { content, isError = false } = await by.callTool({ name, arguments: { ...values } });
  const { text } = (content as { text: string }[])[0]!;
  return { ...(text.startsWith('{') ? JSON.parse(text) : { error: text }), failed: isError, text };
}

test('a client lists the tools, which only read, and learns that texts of the chain are data', async () => {
  const { tools: listed } = await client.listTools();
  expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect(listed.length).toBeGreaterThanOrEqual(15);
  for (const { annotations, inputSchema, description } of listed) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(description).toBeTruthy();
  }
  expect(client.getInstructions()).toContain('untrusted_text');
});

test('what happened in this transaction, what do I hold, what does this contract do: the tools tell it', async () => {
  const { results } = await api.get('/extended/v1/tx?limit=50&type=contract_call');
  const swap = (results as { tx_id: string; tx_status: string; sender_address: string; contract_call: Row }[]).find(
    tx => tx.contract_call.function_name === 'swap-stx' && tx.tx_status === 'success',
  )!;
  const explained = await ask('explain_transaction', { tx_id: swap.tx_id.slice(2) });
  expect(explained.data).toMatchObject({ status: 'success', contract: pool, function: 'swap-stx' });
  expect(explained.data.summary).toMatch(
    / swapped [\d.,]+ STX for [\d.,]+ stone on \w+…\w+\.pool; the fee was 0\.\d+ STX\.$/,
  );
  expect(explained.data.named).toContain(swap.sender_address);

  const held = await ask('account', { principal: swap.sender_address });
  const { balance } = await api.get(`/extended/v3/principals/${swap.sender_address}/balances/stx`);
  const digits = String((held.data.stx as Row).balance).replaceAll(/[,.]| STX/g, '');
  expect(BigInt(digits.padEnd(digits.length, '0')) > 0n && balance.startsWith(digits.replace(/0+$/, ''))).toBe(true);
  expect((held.data.tokens as Row[]).map(({ asset }) => asset)).toContain(stone);

  const interfaces = await ask('contract', { contract_id: pool });
  expect((interfaces.data.functions as string[]).join('\n')).toContain('public swap-stx (amount uint, least uint) →');
  expect(interfaces.text).not.toContain('define-public');
  const source = await ask('contract', { contract_id: pool, source: true });
  expect((source.data.source as Row).untrusted_text).toContain('(define-public (swap-stx');
  const symbol = await ask('call_read_only', { contract_id: residents.contract('stone'), function: 'get-decimals' });
  expect(symbol.data.result).toEqual({ untrusted_text: '(ok u6)' });
});

test('why is mine pending: the reasons, in words', async () => {
  const { results } = await api.get('/extended/v1/tx/mempool?limit=50');
  const diagnosed = await Promise.all((results as Row[]).map(({ tx_id }) => ask('why_pending', { tx_id })));
  expect(diagnosed.length).toBeGreaterThan(0);
  for (const { data } of diagnosed) {
    expect(data.state).toBe('pending');
    expect(data.summary).toBe((data.reasons as Row[])[0]!.message);
  }
});

test('how far is my withdrawal: the deposits and withdrawals of an account are told in words', async () => {
  const user = residents.address(bridgeUser);
  const { results, total } = await api.get(`/extended/v1/sbtc/principals/${user}`);
  const { data } = await ask('sbtc', { principal: user });
  expect(total).toBeGreaterThan(0);
  expect(data).toMatchObject({ principal: user, total });
  const amounts = (rows: Row[]) => rows.map(({ type, status, tx_id }) => [type, status, tx_id !== undefined]);
  expect(amounts(data.movements as Row[])).toEqual((results as Row[]).map(({ type, status }) => [type, status, true]));
  expect((data.movements as Row[])[0]).toMatchObject({ amount: expect.stringMatching(/^0\.\d+ BTC$/) });
  const { data: whole } = await ask('sbtc');
  expect(whole).toMatchObject({ deposits: { count: expect.any(Number) }, signers: '2 of 3 signatures are needed' });
});

test('every tool finds something on the devnet, and a list goes on with its cursor', async () => {
  const { results } = await api.get('/extended/v1/tx?limit=1');
  const [{ tx_id, sender_address }] = results;
  const [name] = await api.get('/v1/names');
  const calls: Record<string, object> = {
    chain_status: {},
    search: { text: 'pool' },
    account: { principal: pool },
    transactions: { principal: sender_address, limit: 2 },
    explain_transaction: { tx_id },
    why_pending: { tx_id },
    token: { asset: stone },
    holders: { asset: stone, limit: 2 },
    contract: { contract_id: pool },
    contract_logs: { contract_id: pool, limit: 2 },
    call_read_only: { contract_id: pool, function: 'get-reserves', arguments: {} },
    names: { name },
    stacking: { principal: sender_address },
    sbtc: {},
    block: { block: 'latest' },
    fees: {},
    list_endpoints: { word: 'holders' },
    api_get: { path: '/extended/v2/blocks', query: { limit: '1' } },
  };
  expect(Object.keys(calls)).toEqual(tools.map(tool => tool.name));
  const cursors: string[] = [];
  for (const [tool, values] of Object.entries(calls)) {
    const answer = await ask(tool, values);
    expect(answer.failed, `${tool}: ${answer.text}`).toBe(false);
    expect(answer.text.length, tool).toBeLessThan(20_000);
    if (answer.next_cursor === undefined) continue;
    cursors.push(tool);
    const next = await ask(tool, { ...values, cursor: answer.next_cursor });
    expect(next.failed, `${tool}: ${next.text}`).toBe(false);
    expect(next.data, tool).not.toEqual(answer.data);
  }
  expect(cursors).toEqual(['transactions', 'holders', 'contract_logs']);
});

test('a model that sends nonsense is told what to send', async () => {
  const wrong: [string, object, RegExp][] = [
    ['block', { block: 'nonsense' }, /block must match pattern/],
    ['block', { height: 5 }, /block|additional/],
    ['names', {}, /either name .* or principal/],
    ['account', { principal: 'x'.repeat(100_000) }, /principal|413|too large/i],
    ['api_get', { path: '/extended/../mcp' }, /must not have dots/],
    ['api_get', { path: '/mcp' }, /path must match pattern/],
    ['api_get', { path: '/extended/v1/stream' }, /stream\/pages/],
    ['explain_transaction', { tx_id: '00'.repeat(32) }, /not known on this chain/],
    ['call_read_only', { contract_id: pool, function: 'get-reserves', arguments: { x: '1' } }, /what_to_do/],
  ];
  for (const [tool, values, says] of wrong) {
    const answer = await ask(tool, values).catch(error => ({ failed: true, text: String(error) }));
    expect([tool, values, answer.failed], answer.text).toEqual([tool, values, true]);
    expect(answer.text, tool).toMatch(says);
  }
});

test('calls pay for what they read, as the client that sent them', async () => {
  const limited = await connect({ 'x-forwarded-for': LIMITED }).catch(error => error as Error);
  // Connecting and asking take more than the burst together.
  const refusals = await Promise.all(
    Array.from({ length: 8 }, async () =>
      limited instanceof Client ? await ask('chain_status', {}, limited).catch(String) : String(limited),
    ),
  );
  expect(JSON.stringify(refusals)).toMatch(/Too many requests|429/);
  expect((await ask('chain_status')).failed).toBe(false);
});

test('a GET, a batch and a wrong message are refused in words', async () => {
  const { app } = api;
  expect((await app.inject('/mcp')).statusCode).toBe(405);
  const post = (payload: object) => app.inject({ method: 'POST', url: '/mcp', payload });
  expect((await post([{}, {}])).json().message).toContain('one message at a time');
  expect((await post({ hello: 1 })).statusCode).toBe(400);
});

test('the guides are served as Markdown, and llms.txt leads to each of them', async () => {
  const { body, headers } = await api.app.inject('/llms.txt');
  expect(headers['content-type']).toContain('text/plain');
  expect(body).toMatch(/^# Cairn\n\n> /);
  const links = [...body.matchAll(/\((\/docs\/[\w/]+\.md)\)/g)].map(match => match[1]!);
  expect(links.length).toBeGreaterThan(8);
  for (const link of links) {
    const page = await api.app.inject(link);
    expect([link, page.statusCode, page.headers['content-type']]).toEqual([link, 200, 'text/markdown; charset=utf-8']);
  }
});

test('cairn mcp gives the same tools over stdin and stdout', async () => {
  await build();
  const transport = new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', '--url', base] });
  const local = new Client({ name: 'test', version: '1' });
  await local.connect(transport);
  try {
    const { tools: listed } = await local.listTools();
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    const over = await ask('token', { asset: stone }, local);
    expect(over.data).toEqual((await ask('token', { asset: stone })).data);
  } finally {
    await local.close();
  }
});
