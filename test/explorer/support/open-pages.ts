import type { Page } from 'playwright-core';
import { until } from '../../support/service.ts';
import type { Explorer, OpenPage } from './explorer.ts';

/** How many pages load at once: more would only wait for the processors. */
const AT_ONCE = 6;

/** Runs work for each entry, a few at a time, and names the entries that failed with the reason. */
export async function failuresOf<T>(
  entries: Readonly<Record<string, T>>,
  work: (of: T, name: string) => Promise<void>,
): Promise<Record<string, string>> {
  const failures: Record<string, string> = {};
  const waiting = Object.entries(entries);
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, of] = next;
      await work(of, name).catch((error: Error) => {
        failures[name] = error.message;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return failures;
}

/** Opens a page for each path; each waits until what it shows follows the chain. */
export async function openAll<N extends string>(
  explorer: Explorer,
  paths: Readonly<Record<N, string>>,
): Promise<Record<N, OpenPage>> {
  const opened: Record<string, OpenPage> = {};
  const failures = await failuresOf<string>(paths, async (path, name) => {
    opened[name] = await explorer.open(path);
    await loaded(opened[name].page);
  });
  if (Object.keys(failures).length > 0) throw new Error(JSON.stringify(failures));
  return opened;
}

/** Waits until the page is connected and nothing on it is still loading. */
export async function loaded(page: Page): Promise<void> {
  await page.locator('.live.live').waitFor();
  await page.locator('h1').first().waitFor();
  const loading = page.locator('main .pending').or(page.locator('main .soft', { hasText: /^…$/ }));
  await until(async () => (await loading.count()) === 0);
}

/** Waits for elements; those behind `!` must go away. */
export async function seen(page: Page, selectors: readonly string[]): Promise<void> {
  for (const selector of selectors) {
    const gone = selector.startsWith('!');
    await page
      .locator(gone ? selector.slice(1) : selector)
      .first()
      .waitFor({ state: gone ? 'detached' : 'attached' });
  }
}

/** Hides most rows of a kind: a few are enough for what looks at every element. */
export async function leaveFewRows(page: Page): Promise<void> {
  await page.evaluate(`for (const row of document.querySelectorAll(
    'tbody tr:nth-child(n+4), .line:nth-child(n+6), .burn-group:nth-child(n+4), li:nth-child(n+8), .function:nth-child(n+8)'))
    row.hidden = true`);
}

/** The texts of a page without times and charts, which change on their own, and without `except`. */
export async function textOf(page: Page, except = ''): Promise<string[]> {
  const left = ['time', 'figure', '.plot', 'details:not([open]) > :not(summary)', ...(except ? [except] : [])].join(
    ',',
  );
  return await page.evaluate<string[]>(`(() => {
    const main = document.getElementById('main');
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const texts = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement.closest(${JSON.stringify(left)})) texts.push(node.textContent);
    return texts;
  })()`);
}
