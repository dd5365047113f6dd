import { afterAll, beforeAll, test } from 'vitest';
import { FaultBed } from '../../bench/support/faults/fault-bed.ts';
import {
  backendsTerminated,
  diskFull,
  postmasterKilled,
  shortFreeze,
  tablesAltered,
} from '../../bench/support/faults/fault-kinds.ts';
import { expectNothingLost, expectSurvived, patienceMs, program } from './expectations.ts';

let bed: FaultBed;

beforeAll(async () => {
  bed = await FaultBed.open({ layout: 'embedded', program, seed: 11, patienceMs });
});
afterAll(() => bed?.close());

test.each([postmasterKilled, backendsTerminated, tablesAltered, shortFreeze, diskFull])(
  'one process with a server of its own survives: $name',
  async fault => await expectSurvived(bed, fault),
);

test('after all of them, every acknowledged block is there', () => expectNothingLost(bed));
