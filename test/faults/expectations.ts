import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { FaultBed } from '../../bench/support/faults/fault-bed.ts';
import type { Fault } from '../../bench/support/faults/fault-kinds.ts';
import { runFault } from '../../bench/support/faults/fault-run.ts';

/** The program as it is installed. */
export const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** No machine is so busy that the service needs longer; the benches hold its real limits. */
export const patienceMs = 240_000;

/** All that must hold when a fault is over. */
export async function expectSurvived(bed: FaultBed, fault: Fault): Promise<void> {
  const { wrong, hung, hungPosts, ended, recoverSeconds, right } = await runFault(bed, fault);
  const seen = { wrong: wrong.slice(0, 3), hung: hung.slice(0, 3), hungPosts, ended };
  expect(seen, bed.warnings.join('\n')).toEqual({ wrong: [], hung: [], hungPosts: 0, ended: 0 });
  expect(recoverSeconds).toBeLessThan(patienceMs / 1000);
  expect(right).toBeGreaterThan(0);
}

/** Every acknowledged block is there, as it was sent. */
export async function expectNothingLost(bed: FaultBed): Promise<void> {
  const problems: string[] = [];
  expect([await bed.countLost(problem => problems.push(problem)), problems]).toEqual([0, []]);
}
