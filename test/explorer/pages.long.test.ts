import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type Ids, makeContent, pages } from './support/chain-pages.ts';
import { useExplorer } from './support/explorer.ts';
import { leaveFewRows } from './support/open-pages.ts';

const explorer = useExplorer({ CAIRN_DEVNET_BLOCK_SECONDS: '3600' });

let ids: Ids;
beforeAll(async () => {
  ids = await makeContent(explorer);
});

type Violation = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] };

/** What axe calls serious or critical, with the elements. */
async function axeFindings(page: Page, rules = 'axe.run()'): Promise<string[]> {
  // The debugger evaluates it: the policy of the page allows no inline script.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(rules);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(node => `${node.html.slice(0, 200)} ${node.failureSummary}`).join(' | ')}`,
    );
}

test.each(Object.entries(pages))(
  'the page %s shows what there is, complains of nothing, is accessible and fits a phone',
  async (_name, { path, heading, shows }) => {
    const { page, context, complaints, outside } = await explorer.open(path(ids));
    await page.locator(shows).first().waitFor();
    expect(await page.locator('h1').textContent()).toMatch(heading);
    expect(await page.title()).toContain('Cairn');
    const wide = page.viewportSize()!;
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), 'width on a phone').toBe(360);
    await page.setViewportSize(wide);
    await leaveFewRows(page);
    expect(await axeFindings(page), 'light').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page, "axe.run({ runOnly: ['color-contrast'] })"), 'dark').toEqual([]);
    expect(complaints).toEqual([]);
    expect(outside).toEqual([]);
    await context.close();
  },
);

const missing: Record<string, { path: string; says: RegExp }> = {
  'an unknown transaction': { path: `/tx/0x${'ab'.repeat(32)}`, says: /may not have arrived yet/ },
  'a block above the tip': { path: '/block/99999999', says: /above the tip/ },
  'an unknown block hash': { path: `/block/0x${'cd'.repeat(32)}`, says: /fork has removed/ },
  'an unknown Bitcoin block': { path: '/burn-block/99999999', says: /above the tip/ },
  'no address': { path: '/account/STNOTANADDRESS', says: /checksum/ },
  'an unknown contract': { path: '/contract/ST000000000000000000002AMW42H.nothing', says: /not be deployed yet/ },
  'an unknown token': { path: '/token/ST000000000000000000002AMW42H.nothing%3A%3Anone', says: /minted/ },
  'a free name': { path: '/name/nobody-has-this.btc', says: /Nobody owns/ },
  'a tenure to come': { path: '/tenure/999999', says: /not have begun/ },
  'a search without hits': { path: '/search?q=zzzzzzzzzzzz', says: /Nothing was found/ },
  'an empty search': { path: '/search', says: /Write what you look for/ },
};

test.each(Object.entries(missing))('%s gets a page that says what it could be', async (_name, { path, says }) => {
  const { page, context, complaints } = await explorer.open(path);
  await page.getByText(says).first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test('the API reference is accessible, light and dark', async () => {
  const { page, context, complaints, outside } = await explorer.open('/docs');
  await page.locator('.opblock-tag').first().waitFor();
  await page.locator('#guides #guide-errors table').waitFor();
  await page.locator('#servers[aria-label]').waitFor();
  expect(await axeFindings(page), 'light').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html.dark-mode').waitFor();
  expect(await axeFindings(page, "axe.run({ runOnly: ['color-contrast'] })"), 'dark').toEqual([]);
  expect(complaints).toEqual([]);
  // Pictures in the style of the reader are part of it.
  expect(outside.filter(url => !url.startsWith('data:'))).toEqual([]);
  await context.close();
});

test('a search for a whole id or a height opens its page', async () => {
  for (const [text, path] of [
    [ids.transfer.slice(2), `/tx/${ids.transfer}`],
    ['5', '/block/5'],
  ] as const) {
    const { page, context } = await explorer.open(`/search?q=${text}`);
    await page.waitForURL(url => url.pathname === path);
    await context.close();
  }
});

test('a transaction begins with what it did, in one sentence with links', async () => {
  const { page, context } = await explorer.open(`/tx/${ids.call}`);
  const sentence = page.locator('.sentence');
  await sentence.locator('a').first().waitFor();
  expect(await sentence.textContent()).toMatch(/ on \S+\.pool; the fee was [\d.]+ STX\.$| tried to call swap-/);
  await context.close();
});

test('a contract without the name of its token leads to the token, and an item is named by its number', async () => {
  const { page, context } = await explorer.open(`/token/${ids.deployer}.stone`);
  await page.waitForURL(url => decodeURIComponent(url.pathname) === `/token/${ids.token}`);
  await page.goto(`${explorer.base}/token/${encodeURIComponent(ids.collection)}?item=1`);
  await page.getByText('Item #1').waitFor();
  await context.close();
});

test('on a phone, the header is one line, rows are short, and a walk needs no more than 6 screens a page', async () => {
  const { page, context } = await explorer.open('/');
  const [width, height] = [390, 844];
  await page.setViewportSize({ width, height });
  const token = `/token/${encodeURIComponent(ids.token)}`;
  for (const path of ['/', `/tx/${ids.transfer}`, `/account/${ids.account}`, token, '/mempool', '/collections']) {
    await page.goto(explorer.base + path);
    await page.locator('main h2').first().waitFor();
    await page.locator('.pending').first().waitFor({ state: 'detached' });
    const size = await page.evaluate<number[]>(
      '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
    );
    expect([path, size[0]]).toEqual([path, width]);
    expect(size[1]! / height, path).toBeLessThanOrEqual(6);
  }
  expect((await page.locator('.site-header').boundingBox())!.height).toBeLessThan(60);
  await page.getByRole('button', { name: 'Pages' }).click();
  await page.getByRole('link', { name: 'Names', exact: true }).click();
  await page.waitForURL(`${explorer.base}/names`);
  expect(await page.locator('#pages').isVisible()).toBe(false);
  await page.goto(`${explorer.base}/blocks`);
  const row = page.locator('tbody tr').first();
  await row.waitFor();
  expect((await row.boundingBox())!.height).toBeLessThan(90);
  await context.close();
});

test('the header says which network it is', async () => {
  const { page, context } = await explorer.open('/');
  await page.locator('.network:text("devnet")').waitFor();
  await context.close();
});

test('an account without history is empty, not an error', async () => {
  const { page, context } = await explorer.open('/account/ST000000000000000000002AMW42H');
  await page.getByText('This account has no confirmed transactions.').waitFor();
  await page.getByRole('link', { name: 'Tokens', exact: true }).last().click();
  await page.getByText('This account holds no tokens.').waitFor();
  expect(new URL(page.url()).searchParams.get('tab')).toBe('tokens');
  await context.close();
});
