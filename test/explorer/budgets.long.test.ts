import { beforeAll, expect, test } from 'vitest';
import { useExplorer } from './support/explorer.ts';

// Nothing is mined while the page is measured.
const explorer = useExplorer({ CAIRN_DEVNET_BLOCK_SECONDS: '3600' });
beforeAll(async () => {
  await explorer.height(1);
  await explorer.devnet('mine?count=20');
  await explorer.height(21);
}, 120_000);

type Measured = { scriptBytes: number; firstPaint: number; longestTask: number };

/** Opens the first page with a processor that is slowed four times. */
async function measure(): Promise<Measured> {
  const { page, context } = await explorer.open('/assets/none');
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(
    'window.tasks = []; new PerformanceObserver(list => tasks.push(...list.getEntries().map(entry => entry.duration))).observe({ type: "longtask", buffered: true });',
  );
  await page.goto(explorer.base);
  await page.locator('.rows tbody tr').first().waitFor();
  await page.locator('.plot canvas').first().waitFor();
  const measured = await page.evaluate<Measured>(`({
    scriptBytes: performance.getEntriesByType('resource').filter(entry => entry.name.endsWith('.js')).reduce((sum, entry) => sum + entry.encodedBodySize, 0),
    firstPaint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    longestTask: Math.max(0, ...tasks),
  })`);
  await context.close();
  return measured;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

test('the first page is small, appears soon and does not block, on a slow processor', {
  timeout: 120_000,
}, async () => {
  const runs: Measured[] = [];
  for (let run = 0; run < 5; run++) runs.push(await measure());
  expect(Math.max(...runs.map(run => run.scriptBytes))).toBeLessThan(150_000);
  expect(Math.max(...runs.map(run => run.scriptBytes))).toBeGreaterThan(5000);
  expect(median(runs.map(run => run.firstPaint))).toBeLessThanOrEqual(1500);
  expect(median(runs.map(run => run.longestTask))).toBeLessThanOrEqual(200);
});
