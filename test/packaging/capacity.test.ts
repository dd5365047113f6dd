import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { processesFor, simulateProcess } from '../../bench/support/queue-simulation.ts';

test('the simulation agrees with the formula for one kind of request', () => {
  // Time in a queue of this kind (M/M/1) is exponential: its p99 is ln(100) / (service rate - arrival rate).
  for (const [perSecond, cpuUs] of [
    [500, 1000],
    [700, 1000],
    [4000, 100],
  ] as const) {
    const expected = (Math.log(100) / (1e6 / cpuUs - perSecond)) * 1000;
    const simulated = simulateProcess(perSecond, [{ share: 1, cpuUs }]);
    expect(simulated / expected).toBeGreaterThan(0.85);
    expect(simulated / expected).toBeLessThan(1.15);
  }
});

test('the number of processes grows with the rate and falls with the limit', () => {
  const kinds = [
    { share: 0.75, cpuUs: 60 },
    { share: 0.25, cpuUs: 800 },
  ];
  const needed = [1000, 10_000, 100_000].map(rate => processesFor(rate, kinds, 50));
  expect(needed[0]!).toBeGreaterThanOrEqual(1);
  expect(needed[1]! / needed[0]!).toBeGreaterThanOrEqual(3);
  expect(needed[2]! / needed[1]!).toBeGreaterThan(7);
  expect(processesFor(10_000, kinds, 5)).toBeGreaterThan(needed[1]!);
});

test('the operations guide has the table of capacity, with the command that measures it', () => {
  const guide = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const section = guide.slice(guide.indexOf('## Capacity'));
  expect(section).toContain('npm run bench -- capacity');
  for (const rate of ['1,000', '10,000', '100,000']) expect(section).toMatch(new RegExp(`\\| ${rate}\\s+\\|`));
});
