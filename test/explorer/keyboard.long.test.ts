import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { until } from '../support/service.ts';
import { type Ids, makeContent, pages } from './support/chain-pages.ts';
import { useExplorer } from './support/explorer.ts';
import { failuresOf, leaveFewRows, loaded } from './support/open-pages.ts';
import { recipient } from './support/wallet.ts';

const explorer = useExplorer({ CAIRN_DEVNET_BLOCK_SECONDS: '3600' });

let ids: Ids;
beforeAll(async () => {
  ids = await makeContent(explorer);
});

/** Notes each element that gets the focus, and how one sees it. */
const watchFocus = `(() => {
  const usable = 'a[href], button, input, select, textarea, summary, [role=button], [role=link], [onclick], [tabindex]';
  const visits = [];
  document.addEventListener('focusin', ({ target }) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(target);
    const box = target.getBoundingClientRect();
    const marked = (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
    const inView = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    visits.push({ target, seen: marked && inView });
  });
  const all = () => [...document.querySelectorAll(usable)].filter(each =>
    each.checkVisibility({ visibilityProperty: true }) && !each.disabled && each.getAttribute('tabindex') !== '-1');
  const name = each => each.tagName + ' ' + (each.getAttribute('aria-label') ?? each.textContent).trim().slice(0, 40);
  window.focusWalk = {
    left: () => all().length - visits.length,
    result: () => ({
      missed: all().filter(each => !visits.some(visit => visit.target === each)).map(name),
      unseen: visits.filter(visit => !visit.seen).map(visit => name(visit.target)),
      order: visits.map(visit => all().indexOf(visit.target)),
    }),
  };
})()`;

type Walk = { missed: string[]; unseen: string[]; order: number[] };

/** Walks through the page by Tab, until as many elements had the focus as can be used. */
async function walk(page: Page): Promise<Walk> {
  await leaveFewRows(page);
  await page.evaluate(watchFocus);
  for (;;) {
    const left = await page.evaluate<number>('focusWalk.left()');
    if (left <= 0) break;
    for (let i = 0; i < left; i++) await page.keyboard.press('Tab');
  }
  return await page.evaluate<Walk>('focusWalk.result()');
}

test('on every page Tab reaches everything in the order of the page, and shows where it is', async () => {
  const failures = await failuresOf(pages, async ({ path, shows }) => {
    const { page, context, complaints } = await explorer.open(path(ids));
    await page.locator(shows).first().waitFor();
    await loaded(page);
    const { missed, unseen, order } = await walk(page);
    expect({ missed, unseen }).toEqual({ missed: [], unseen: [] });
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(complaints).toEqual([]);
    await context.close();
  });
  expect(failures).toEqual({});
});

/** Moves the focus by Tab to the first element that matches. */
async function tabTo(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor();
  await until(async () => {
    await page.keyboard.press('Tab');
    return (await page.locator(`:focus:is(${selector})`).count()) > 0;
  });
}

test('what opens on a page opens by Enter or Space', async () => {
  const failures = await failuresOf(pages, async ({ path, shows }) => {
    const { page, context, complaints } = await explorer.open(path(ids));
    await page.locator(shows).first().waitFor();
    await loaded(page);
    for (const summary of await page.locator('main summary:visible').all()) {
      await summary.focus();
      const isOpen = () => page.evaluate('document.activeElement.parentElement.open');
      const before = await isOpen();
      await page.keyboard.press('Enter');
      expect(await isOpen()).toBe(!before);
      await page.keyboard.press('Space');
      expect(await isOpen()).toBe(before);
    }
    // Buttons and choices keep the focus, so that one can go on from there.
    for (const name of new Set(await page.locator('main button:visible').allTextContents())) {
      await page.locator('main button:visible', { hasText: name }).first().focus();
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.tagName'), name).not.toBe('BODY');
    }
    const link = page.locator('main a[href^="/"]:not([download], .tabs a)').first();
    if ((await link.count()) > 0) {
      const target = await link.getAttribute('href');
      await link.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(url => url.pathname + url.search === target);
      await page.locator('h1').waitFor();
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
    }
    expect(complaints).toEqual([]);
    await context.close();
  });
  expect(failures).toEqual({});
});

test('a read-only call, a filter and a look back need no pointer', async () => {
  const contract = await explorer.open(`/contract/${ids.deployer}.stone`);
  await tabTo(contract.page, '.function summary:has-text("get-balance")');
  await contract.page.keyboard.press('Enter');
  await tabTo(contract.page, '.function[open] input');
  await contract.page.keyboard.type(recipient);
  await contract.page.keyboard.press('Enter');
  await contract.page.locator('.function[open] .result .numeric').waitFor();

  const mempool = await explorer.open('/mempool');
  await tabTo(mempool.page, 'main select');
  await mempool.page.keyboard.press('ArrowDown');
  await mempool.page.waitForURL(/\?/);

  const account = await explorer.open(`/account/${ids.account}`);
  await tabTo(account.page, 'input[type=range]');
  await account.page.keyboard.press('Home');
  await account.page.getByText('at block 1', { exact: true }).waitFor();
  await tabTo(account.page, 'button:has-text("Back to now")');
  await account.page.keyboard.press('Space');
  await account.page.getByText('Now. Move to look back.').waitFor();
  for (const { complaints, context } of [contract, mempool, account]) {
    expect(complaints).toEqual([]);
    await context.close();
  }
});
