import { beforeAll, expect, test } from 'vitest';
import { until } from '../support/service.ts';
import { useExplorer } from './support/explorer.ts';
import { recipient, walletOf } from './support/wallet.ts';

const explorer = useExplorer({ CAIRN_DEVNET_BLOCK_SECONDS: '3600' });
const wallet = walletOf(explorer);
const mine = (count: number) => explorer.command(`mine?count=${count}`);

beforeAll(async () => {
  await explorer.height(1);
  await mine(12);
});

test('a transfer can be followed from before its broadcast to its confirmation', async () => {
  const transaction = await wallet.transfer(1_500_000, 'for the map');
  const { page, context, complaints } = await explorer.open(`/tx/0x${transaction.txid()}`);
  await page.getByText('This page shows it as soon as it does').waitFor();
  await wallet.send(transaction);
  await page.getByText('It waits in the mempool').waitFor();
  await mine(3);
  await page.locator('.badge.good').waitFor();
  expect(await page.locator('main').textContent()).toContain('1.5 STX');
  expect(await page.locator('main').textContent()).toContain('for the map');
  // The server saw it arrive.
  await page.locator('.timeline li', { hasText: 'Broadcast' }).locator('time').waitFor();
  expect(await page.locator('data.amount[value="1500000"]').first().getAttribute('title')).toBe('1,500,000 micro-STX');
  await page.locator('.flow .arrow-label').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('a block appears as it arrives, and a fork shows what it replaced', async () => {
  const { page, context, complaints } = await explorer.open('/');
  await page.locator('.live.live').waitFor();
  await mine(1);
  const { chain_tip: tip } = await explorer.get('/extended');
  await page.locator(`.strip-block a[href="/block/${tip.block_height}"]`).waitFor();
  const looking = await explorer.open(`/block/${tip.block_hash}`);
  await looking.page.getByText('Cost against the limits').waitFor();
  await explorer.devnet('fork?count=1');
  await until(async () => (await explorer.get('/extended')).chain_tip.block_hash !== tip.block_hash);
  await page.locator('.strip-block.orphan').first().waitFor();
  await looking.page
    .getByText(/orphaned|fork has removed/)
    .first()
    .waitFor();
  expect([...complaints, ...looking.complaints]).toEqual([]);
  await Promise.all([context.close(), looking.context.close()]);
});

test('everything can be reached by keyboard', async () => {
  const { page, context } = await explorer.open('/');
  await page.locator('.strip-block').first().waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.keyboard.press('/');
  await page.keyboard.type('stone');
  await page.locator('[role=option]').first().waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await page.locator('[role=combobox]').getAttribute('aria-activedescendant')).toBe('suggestion-0');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/(contract|token)\//);
  await page.locator('h1').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await page.goBack();
  await page.locator('.strip-block').first().waitFor();
  await page.getByRole('button', { name: /Colors: system/ }).focus();
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light');
  await context.close();
});

test('a read-only function can be called from the page of its contract', async () => {
  const { results } = await explorer.get('/extended/v3/search?q=stone');
  const id = results.find((hit: { type: string }) => hit.type === 'smart_contract').result.contract_id;
  const { page, context } = await explorer.open(`/contract/${id}`);
  await page.locator('.function summary', { hasText: 'get-balance' }).click();
  const form = page.locator('.function[open] form');
  await form.locator('input').fill('not an address');
  await form.getByRole('button', { name: 'Call' }).click();
  await form.locator('.loss').waitFor();
  await form.locator('input').fill(recipient);
  await form.getByRole('button', { name: 'Call' }).click();
  await form.locator('.result .numeric').waitFor();
  expect(await form.locator('.result').textContent()).toBe('ok 0');
  await context.close();
});

test('read-only calls with JSON arguments are public, and say what is wrong', async () => {
  const { results } = await explorer.get('/extended/v3/search?q=stone');
  const id = results.find((hit: { type: string }) => hit.type === 'smart_contract').result.contract_id;
  const call = async (name: string, body: object) => {
    const response = await fetch(`${explorer.base}/extended/v1/contract/${id}/call/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return [response.status, JSON.parse(await response.text())] as const;
  };
  expect(await call('get-balance', { arguments: { who: recipient } })).toEqual([
    200,
    { result: { hex: expect.stringMatching(/^0x07/), repr: '(ok u0)' }, type: expect.stringContaining('response') },
  ]);
  expect(await call('get-balance', { arguments: ['nobody'] })).toMatchObject([
    400,
    { message: expect.stringContaining('an address') },
  ]);
  expect((await call('nothing', {}))[0]).toBe(404);
  expect((await call('transfer', {}))[0]).toBe(400);
});

test('the balance of an account is drawn, is a table too, and is shown at any height', async () => {
  const { page, context, complaints } = await explorer.open(`/account/${recipient}?asset=stx`);
  await page.locator('.plot canvas').waitFor();
  await page.locator('.chart-table summary').first().focus();
  await page.keyboard.press('Enter');
  const rows = page.locator('.chart-numbers tbody tr');
  await rows.first().waitFor();
  const { chain_tip: tip } = await explorer.get('/extended');
  expect(await rows.count()).toBe(Math.min(tip.block_height, 200));
  await page.locator('input[type=range]').focus();
  await page.keyboard.press('Home');
  await page.getByText('at block 1', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('at')).toBe('1');
  await page.getByRole('button', { name: 'Back to now' }).click();
  await page.getByText('Now. Move to look back.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('of ten thousand rows only those near the window are drawn, and the last can be reached', async () => {
  const { results } = await explorer.get('/extended/v3/transactions?limit=1');
  const [template] = results;
  const { page, context, complaints } = await explorer.open('/status');
  await page.route('**/extended/v3/transactions?*', async route => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({
      ...template,
      tx_id: `0x${String(i).padStart(64, '0')}`,
    }));
    const body = { total: 10_000, limit: 10_000, cursor: { next: null, previous: null, current: null }, results: many };
    await route.fulfill({ json: body });
  });
  await page.goto(`${explorer.base}/transactions`);
  const rows = page.locator('tbody tr:not(.undrawn)');
  await rows.first().waitFor();
  expect(await rows.count()).toBeLessThan(1000);
  const last = page.locator(`a[href="/tx/0x${'9999'.padStart(64, '0')}"]`);
  await until(async () => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    return (await last.count()) > 0;
  });
  expect(await rows.count()).toBeLessThan(1000);
  expect(complaints).toEqual([]);
  await context.close();
});

test('sixty updates a second do not make the page fall behind', async () => {
  const { page, context, complaints } = await explorer.open('/blocks');
  const { results } = await explorer.get('/extended/v1/block?limit=1');
  const [template] = results;
  let send: ((text: string) => void) | undefined;
  await page.routeWebSocket(/\/extended\/v1\/ws/, socket => {
    socket.onMessage(() => {});
    send = text => socket.send(text);
  });
  // Responses that take longer than the pause between changes still arrive.
  await page.route('**/extended/v3/transactions?*', async route => {
    const response = await route.fetch();
    await page.waitForTimeout(500);
    await route.fulfill({ response });
  });
  await page.goto(explorer.base);
  await until(async () => send !== undefined);
  await page.locator('.strip-block').first().waitFor();
  const seconds = 3;
  for (let i = 1; i <= 60 * seconds; i++) {
    const params = { ...template, height: 1_000_000 + i, hash: `0x${String(i).padStart(64, '0')}` };
    send!(JSON.stringify({ jsonrpc: '2.0', method: 'block', params }));
    if (i % 6 === 0) await page.waitForTimeout(100); // the pace of the messages
  }
  expect(await page.locator('.rows tbody tr').count()).toBeGreaterThan(0);
  await page.locator(`.strip-block a[href="/block/${1_000_000 + 60 * seconds}"]`).waitFor();
  expect(complaints).toEqual([]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
});

test('the API reference loads from this origin, with examples of this chain', async () => {
  const { page, context, outside } = await explorer.open('/docs');
  await page.locator('.opblock-tag').first().waitFor();
  await page.locator('#realtime details').first().waitFor();
  await page.locator('#guides #guide-errors table').waitFor();
  await page.locator('#contents input').fill('{tx_id}/summary');
  await page.getByRole('button', { name: '/extended/v1/tx/{tx_id}/summary' }).click();
  await page.locator('.opblock.is-open[id$="get_transaction_summary"]').waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html.dark-mode').waitFor();
  expect(outside.filter(url => !url.startsWith('data:'))).toEqual([]);
  await context.close();
});
