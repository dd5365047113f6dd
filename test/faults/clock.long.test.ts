import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FaultBed } from '../../bench/support/faults/fault-bed.ts';
import type { Fault } from '../../bench/support/faults/fault-kinds.ts';
import { until } from '../support/service.ts';
import { expectNothingLost, expectSurvived, patienceMs, program } from './expectations.ts';

const hour = 3_600_000;

test('a clock that jumps by an hour, forth and back, changes no answer and loses no event', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-clock-'));
  const file = join(folder, 'offset');
  const set = (offset: number) => {
    writeFileSync(`${file}.new`, String(offset));
    renameSync(`${file}.new`, file);
  };
  set(0);
  const clock = fileURLToPath(new URL('jumping-clock.mjs', import.meta.url));
  const bed = await FaultBed.open({
    layout: 'embedded',
    program,
    seed: 13,
    patienceMs,
    env: { JUMPING_CLOCK_FILE: file },
    nodeArguments: ['--import', clock],
  });
  t.onTestFinished(async () => {
    await bed.close();
    rmSync(folder, { recursive: true });
  });
  const jumps: Fault = {
    name: 'clock jumps',
    layouts: ['embedded'],
    async inject() {
      for (const offset of [hour, -hour, 24 * hour, 0]) {
        set(offset);
        const before = bed.reads.tip;
        await until(() => bed.reads.tip >= before + 3);
      }
      return Date.now();
    },
  };
  const refused = bed.reads.bad.length;
  await expectSurvived(bed, jumps);
  expect(bed.reads.bad.slice(refused)).toEqual([]);
  // The log shows the jump: the clock was the one of the service.
  const [times] = await bed.server.ask<{ hours: string }>(
    'select extract(epoch from max(at) - min(at)) / 3600 as hours from event_log',
  );
  expect(Number(times!.hours)).toBeGreaterThan(24);
  await expectNothingLost(bed);
});
