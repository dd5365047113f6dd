import { afterAll, beforeAll, describe, test } from 'vitest';
import { FaultBed, type Layout } from '../../bench/support/faults/fault-bed.ts';
import {
  blackholed,
  type Fault,
  flowsForgotten,
  longFreeze,
  postmasterKilled,
  primaryMoved,
  resetDuringResponses,
  someBackendsTerminated,
  stalled,
  tablesAltered,
} from '../../bench/support/faults/fault-kinds.ts';
import { expectNothingLost, expectSurvived, patienceMs, program } from './expectations.ts';

const faults: Record<Exclude<Layout, 'embedded'>, Fault[]> = {
  tcp: [resetDuringResponses, someBackendsTerminated, blackholed, longFreeze, primaryMoved, flowsForgotten],
  unix: [resetDuringResponses, stalled, tablesAltered, postmasterKilled],
};

describe.each(['tcp', 'unix'] as const)('a process that ingests and one that answers, over %s', layout => {
  let bed: FaultBed;

  beforeAll(async () => {
    bed = await FaultBed.open({ layout, program, seed: 12, patienceMs });
  });
  afterAll(() => bed?.close());

  test.each(faults[layout])('survive: $name', async fault => await expectSurvived(bed, fault));

  test('after all of them, every acknowledged block is there', () => expectNothingLost(bed));
});
