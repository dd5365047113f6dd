import { beforeAll, expect, test } from 'vitest';
import { useExplorer } from './support/explorer.ts';

// Nothing is mined while the page is measured.
const explorer = useExplorer({ CAIRN_DEVNET_BLOCK_SECONDS: '3600' });
beforeAll(async () => {
  await explorer.height(1);
  await explorer.devnet('mine?count=20');
  await explorer.height(21);
});

type Measured = { scriptBytes: number; firstPaint: number; workSeconds: number };

/** Opens the first page and counts what it loads and how long the processor worked for it. */
async function measure(): Promise<Measured> {
  const { page, context } = await explorer.open('/assets/none');
  const session = await context.newCDPSession(page);
  // Time of the thread, not of the clock: other processes do not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(explorer.base);
  await page.locator('.rows tbody tr').first().waitFor();
  await page.locator('.plot canvas').first().waitFor();
  const measured = await page.evaluate<Omit<Measured, 'workSeconds'>>(`({
    scriptBytes: performance.getEntriesByType('resource').filter(entry => entry.name.endsWith('.js')).reduce((sum, entry) => sum + entry.encodedBodySize, 0),
    firstPaint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  })`);
  const { metrics } = await session.send('Performance.getMetrics');
  await context.close();
  return { ...measured, workSeconds: metrics.find(({ name }) => name === 'TaskDuration')!.value };
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

test('the first page is small, is painted and takes little work of the processor', async () => {
  const runs: Measured[] = [];
  for (let run = 0; run < 5; run++) runs.push(await measure());
  console.log(`first page: ${JSON.stringify(runs)}`);
  expect(Math.max(...runs.map(run => run.scriptBytes))).toBeLessThan(150_000);
  expect(Math.max(...runs.map(run => run.scriptBytes))).toBeGreaterThan(5000);
  expect(Math.min(...runs.map(run => run.firstPaint))).toBeGreaterThan(0);
  expect(median(runs.map(run => run.workSeconds))).toBeLessThan(1);
});
