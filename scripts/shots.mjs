// Writes the screenshots of the README into docs/shots from a running service: npm run shots [-- URL]. The first ones show
// blocks that arrive: run it within the first minute of a new chain.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Pages by the name of their picture; each says when it is complete. */
async function listPages(base) {
  const get = async path => (await fetch(base + path)).json();
  const { results } = await get('/extended/v3/transactions?limit=50');
  const done = results.filter(tx => tx.status === 'success');
  const shown =
    done.find(tx => tx.contract_call?.function_name.startsWith('swap')) ??
    done.find(tx => tx.type === 'token_transfer') ??
    results[0];
  // The newest cycle whose signers are known.
  const { results: cycles } = await get('/extended/v2/pox/cycles?limit=1');
  const cycle = cycles.length > 0 ? `?cycle=${cycles[0].cycle_number}` : '';
  return {
    home: { path: '/', shows: '.strip-block' },
    transaction: { path: `/tx/${shown.tx_id}`, shows: '.timeline', height: 1000 },
    account: { path: `/account/${shown.sender.address}`, shows: '.plot canvas' },
    stacking: { path: `/stacking${cycle}`, shows: '.ring' },
  };
}

/** Three pictures of the beginning of a chain, ten seconds apart, as one strip. */
async function shootStrip(page, base, folder) {
  await page.setViewportSize({ width: 900, height: 800 });
  await page.goto(base);
  await page.locator('.strip-block').first().waitFor();
  for (const number of [1, 2, 3]) {
    const strip = page.locator('section.card', { has: page.locator('.strip') });
    await strip.screenshot({ path: join(folder, `arriving-${number}.png`) });
    if (number < 3) await page.waitForTimeout(10_000);
  }
}

export async function shoot(base = 'http://127.0.0.1:3999') {
  const { findBrowser, startBrowser } = await import(join(root, 'test', 'explorer', 'support', 'browser.mjs'));
  const folder = join(root, 'docs', 'shots');
  mkdirSync(folder, { recursive: true });
  const found = await findBrowser();
  if (found === undefined) throw new Error('There is no browser: CAIRN_TEST_BROWSER may name one');
  const browser = await startBrowser(found);
  try {
    const size = { width: 1200, height: 760 };
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: size, colorScheme, reducedMotion: 'reduce' });
      if (colorScheme === 'light') await shootStrip(page, base, folder);
      const pages = Object.entries(await listPages(base));
      for (const [name, { path, shows, height }] of colorScheme === 'light' ? pages : pages.slice(0, 1)) {
        await page.setViewportSize({ ...size, height: height ?? size.height });
        await page.goto(base + path);
        await page.locator(shows).first().waitFor();
        await page.locator('.pending').first().waitFor({ state: 'detached' });
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
      }
      await page.close();
    }
  } finally {
    await browser.close();
  }
  console.error(`docs/shots is written from ${base}`);
}
