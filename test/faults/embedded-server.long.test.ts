import { afterAll, beforeAll, test } from 'vitest';
import { FaultBed } from '../../bench/support/faults/fault-bed.ts';
import {
  backendsTerminated,
  diskFull,
  postmasterKilled,
  shortFreeze,
  tablesAltered,
} from '../../bench/support/faults/fault-kinds.ts';
import { expectNothingLost, expectSurvived, program } from './expectations.ts';

let bed: FaultBed;

beforeAll(async () => {
  bed = await FaultBed.open({ layout: 'embedded', program, seed: 11 });
});
afterAll(() => bed?.close(), 60_000);

test.each([postmasterKilled, backendsTerminated, tablesAltered, shortFreeze, diskFull])(
  'one process with a server of its own survives: $name',
  { timeout: 90_000 },
  async fault => await expectSurvived(bed, fault),
);

test('after all of them, every acknowledged block is there', () => expectNothingLost(bed));
