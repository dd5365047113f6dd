import type { Route, WebSocketRoute } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { until } from '../support/service.ts';
import { makeContent, pages } from './support/chain-pages.ts';
import { useExplorer } from './support/explorer.ts';
import { failuresOf, loaded, openAll, seen, textOf } from './support/open-pages.ts';

const explorer = useExplorer({ CAIRN_DEVNET_BLOCK_SECONDS: '3600' });

// A test that failed may have left it stopped.
beforeEach(async () => {
  if (explorer.isStopped) await explorer.startAgain();
});

/** The id of a transaction that waits; the residents of a chain that has just begun have not sent any. */
const waiting = () =>
  until(async () => {
    const { results } = await explorer.get('/extended/v3/mempool/transactions?limit=1');
    if (results.length === 0) await explorer.command('mine?count=2');
    return results[0]?.tx_id as string | undefined;
  });

const boot = 'ST000000000000000000002AMW42H';

/** What pages say when there is nothing to list, on a chain that has just begun. */
const empty: Record<string, { path: string; says: string[] }> = {
  status: { path: '/status', says: ['No fork'] },
  account: {
    path: `/account/${boot}`,
    says: ['Nothing of this account is waiting.', 'This account has no confirmed transactions.'],
  },
  'tokens of an account': { path: `/account/${boot}?tab=tokens`, says: ['This account holds no tokens.'] },
  collectibles: { path: `/account/${boot}?tab=collectibles`, says: ['This account holds no collectibles.'] },
  'contracts of an account': {
    path: '/account/STG98GTQNCTMR1R9X9M2RY2JKK5ASTTK5BK5AJXY?tab=contracts',
    says: ['This account has deployed no contract.'],
  },
  'stacking of an account': { path: `/account/${boot}?tab=stacking`, says: ['This account never stacked.'] },
  'names of an account': { path: `/account/${boot}?tab=names`, says: ['This account owns no names.'] },
  contract: {
    path: `/contract/${boot}.cost-voting`,
    says: ['This contract has printed nothing.', 'This account holds no tokens.'],
  },
  tenure: { path: '/tenure/999', says: ['No blocks of this tenure are known.'] },
  token: { path: `/token/${boot}.none%3A%3Anone`, says: ['It appears here once some of it has been minted.'] },
  search: { path: '/search?q=nothing-like-this', says: ['Nothing was found.'] },
};

test('pages without anything to list say so', async () => {
  await explorer.height(1);
  const failures = await failuresOf(empty, async ({ path, says }) => {
    const { page, context, complaints, outside } = await explorer.open(path);
    await seen(
      page,
      says.map(text => `main >> text=${text}`),
    );
    expect([...complaints, ...outside]).toEqual([]);
    await context.close();
  });
  expect(failures).toEqual({});
});

const nothingYet = [
  ['names', '**/v1/names/?page=0', [], 'No names are registered yet.'],
  [
    'stacking',
    '**/extended/v2/pox/cycles?*',
    { limit: 20, offset: 0, total: 0, results: [] },
    'No cycle has signers yet.',
  ],
] as const;

test.each(nothingYet)('a chain without %s says so', async (path, request, json, says) => {
  const { page, context, complaints } = await explorer.open('/blocks');
  // The first blocks of the devnet register names and signers already.
  await page.route(request, route => route.fulfill({ json }));
  await page.goto(`${explorer.base}/${path}`);
  await page.getByText(says).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('every page keeps what it shows while the server is stopped, and goes on when it is back', async () => {
  const ids = await makeContent(explorer);
  // Charts of the mempool say that they wait for it, and draw it some seconds after it was taken.
  await until(async () => (await explorer.get('/extended/v1/history/mempool')).results.length > 0);
  const paths = Object.fromEntries(Object.entries(pages).map(([name, { path }]) => [name, path(ids)]));
  const opened = await openAll(explorer, paths);
  const shown: Record<string, string[]> = {};
  const before = await failuresOf(pages, async ({ shows }, name) => {
    const { page } = opened[name]!;
    await page.locator(shows).first().waitFor();
    await loaded(page);
    shown[name] = await textOf(page);
  });
  expect(before).toEqual({});
  // What the last block changed may reach a page after it was read: all of them are read until nothing changes any more.
  await until(async () => {
    const read = await Promise.all(
      Object.entries(opened).map(async ([name, { page }]) => [name, await textOf(page)] as const),
    );
    const changed = read.filter(([name, texts]) => texts.join('\n') !== shown[name]!.join('\n'));
    Object.assign(shown, Object.fromEntries(changed));
    return changed.length === 0;
  });

  await explorer.stop();
  const stopped = await failuresOf(opened, async ({ page }, name) => {
    await page.locator('.live.reconnecting').waitFor();
    const now = await textOf(page);
    const changed = now.filter((text, at) => text !== shown[name]![at]);
    expect(`${now.length} texts, ${changed.length} changed: ${changed.slice(0, 3)}`).toBe(
      `${shown[name]!.length} texts, 0 changed: `,
    );
    // To a page whose code is not here, and back to the page, whose data are not here.
    await page.locator(`nav[aria-label=Pages] a[href="${name === 'names' ? '/blocks' : '/names'}"]`).click();
    const again = page.locator('main').getByRole('button', { name: 'Try again' }).first();
    await again.click();
    await page.getByText('could not be loaded').first().waitFor();
    await page.goBack();
    await page.waitForURL(explorer.base + paths[name]);
    await again.click();
    await again.waitFor();
    await page.getByText('The server did not respond').first().waitFor();
  });
  expect(stopped).toEqual({});

  await explorer.startAgain();
  const started = await failuresOf(opened, async ({ page, complaints, outside, context }, name) => {
    await page.locator('.live.live').waitFor();
    await page.locator(pages[name]!.shows).first().waitFor();
    await seen(page, ['!main button:text("Try again")']);
    await page.goForward();
    await page
      .locator(name === 'names' ? 'tbody tr' : '.chips a')
      .first()
      .waitFor();
    expect(complaints.filter(text => !/WebSocket connection|ERR_CONNECTION_REFUSED/.test(text))).toEqual([]);
    expect(outside).toEqual([]);
    await context.close();
  });
  expect(started).toEqual({});
});

test('while the connection is lost, nothing is read again and no section says so on its own', async () => {
  const pending = await waiting();
  const { page, context, complaints } = await explorer.open('/names');
  let lost = false;
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/extended\/v1\/ws/, socket => {
    if (lost) void socket.close();
    else sockets.push(socket.connectToServer());
  });
  const asked: string[] = [];
  page.on('request', request => asked.push(new URL(request.url()).pathname));
  await page.clock.install();
  await page.goto(`${explorer.base}/mempool`);
  await page.locator('.treemap').waitFor();
  await loaded(page);
  await page.clock.runFor(20_000); // the charts are current
  await loaded(page);

  // The chart is read some seconds after a change and when it begins at another minute; the fees are read at once, and fail when the connection is lost already.
  let fees: Route | undefined;
  await page.route('**/extended/v2/mempool/fees', route => {
    fees = route;
  });
  await explorer.devnet(`drop?tx=${pending}`);
  await until(async () => {
    await page.clock.runFor(250);
    return fees !== undefined;
  });
  lost = true;
  for (const socket of sockets) await socket.close();
  await page.locator('.live.reconnecting').waitFor();
  const failed = page.waitForEvent('requestfailed');
  await fees!.abort();
  await failed;
  asked.length = 0;
  await page.clock.runFor(70_000);
  expect(asked).toEqual([]);
  expect(await page.getByText('Not updated').count()).toBe(0);

  lost = false;
  await page.unrouteAll();
  await until(async () => {
    await page.clock.runFor(1000);
    return asked.includes('/extended/v1/history/mempool') && asked.includes('/extended/v2/mempool/fees');
  });
  await page.locator('.live.live').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('the mempool is empty when everything in it was dropped', async () => {
  await waiting();
  const { page, context, complaints } = await explorer.open('/mempool');
  await page.locator('.treemap').waitFor();
  const { results } = await explorer.get('/extended/v3/mempool/transactions?limit=50');
  for (const { tx_id } of results as { tx_id: string }[]) await explorer.devnet(`drop?tx=${tx_id}`);
  await page.getByText('Nothing is waiting. New transactions appear here as they arrive.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('"Try again" reads the page again when the server responds, also without a connection for changes', async () => {
  const { page, context } = await explorer.open('/names');
  await page.locator('.chips a').first().waitFor();
  await page.routeWebSocket(/\/extended\/v1\/ws/, socket => socket.close());
  await page.route(/\/(extended|v1|v2)\//, route => route.abort());
  await page.goto(`${explorer.base}/blocks`);
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unrouteAll();
  await again.click();
  await page.locator('tbody tr').first().waitFor();
  await context.close();
});
