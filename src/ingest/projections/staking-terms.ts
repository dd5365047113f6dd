import { type StakingTerm, termAfter } from '../../chain/pox/staking-term.ts';
import type { Projection } from '../rows/projection.ts';
import {
  signerCycleKey,
  signerCyclesTable,
  stakingSteps,
  stakingTermStates,
  termRow,
  termsTable,
} from './staking-term-states.ts';

/** Who stakes with whom in which cycles, and how much a signer has in each. */
export const stakingTerms: Projection = {
  tables: [termsTable, signerCyclesTable],
  caches: [stakingTermStates],

  apply(block, totals, _chain, rows) {
    const steps = stakingSteps(block);
    if (steps.length === 0) return;
    const { height, names } = block;
    const states = totals.cache(stakingTermStates);
    const changed = new Set<string>();
    /** Adds a term to the cycles from one on, or takes it away. */
    const count = (term: StakingTerm, from: number, sign: 1 | -1) => {
      for (let cycle = Math.max(from, term.firstCycle); cycle < term.endCycle; cycle++) {
        const key = signerCycleKey(term.signer, cycle);
        const { stakers, stx } = states.signerCycle(key);
        states.setSignerCycle(key, { stakers: stakers + sign, stx: stx + BigInt(sign) * term.stx });
        changed.add(key);
      }
    };
    for (const { print, place, index } of steps) {
      const staker = names.principal(print.staker);
      const signer = print.signer === undefined ? 0 : names.principal(print.signer);
      const at = { height, place, index };
      const before = states.term(staker);
      const term = termAfter(print, signer, at, before);
      if (!term) continue;
      if (before) count(before, term.firstCycle, -1);
      count(term, term.firstCycle, 1);
      states.setTerm(staker, term);
      rows.add(termsTable, termRow(staker, at, term));
    }
    for (const key of changed) {
      const { stakers, stx } = states.signerCycle(key);
      const [signer, cycle] = key.split(' ').map(Number) as [number, number];
      rows.add(signerCyclesTable, [signer, cycle, height, stakers, stx]);
    }
  },
};
