import { poxVersion } from '../../chain/pox/contract.ts';
import { readStakingPrint } from '../../chain/pox/staking-print.ts';
import { rateOf } from '../../chain/pox/staking-rewards.ts';
import { columnOf } from '../../chain/print-fields.ts';
import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';

const ratesTable: Table = {
  name: 'staking_rates',
  columns: {
    bond: 'int4',
    cycle: 'int4',
    height: 'int4',
    event_index: 'int4',
    calculation_height: 'int4',
    place: 'int2',
    rate: 'numeric',
  },
};
const signerClaimsTable: Table = {
  name: 'staking_signer_claims',
  columns: {
    signer: 'principal',
    cycle: 'int4',
    bond: 'int4',
    height: 'int4',
    event_index: 'int4',
    place: 'int2',
    sats: 'numeric',
  },
};

/** What a share of a cycle received with each calculation of pox-5, and what signers fetched for their stakers. */
export const stakingRewards: Projection = {
  tables: [ratesTable, signerClaimsTable],

  apply({ height, transactions, names }, _totals, _chain, rows) {
    for (const { events, txPosition } of transactions) {
      // What bonds received is printed before the calculation, which alone tells the cycle.
      let waiting: { bond: number; index: number; rate: bigint }[] = [];
      for (const { source, index } of events) {
        if (source.kind !== 'print' || poxVersion(source.contract) !== 5) continue;
        const print = readStakingPrint(source.value);
        if (print?.kind === 'signer claim') {
          const bonds = new Set<number>();
          for (const { bond, sats } of print.earned) {
            const number = columnOf(bond);
            // The second claim of a bond in one call finds nothing.
            if (bonds.has(number)) continue;
            bonds.add(number);
            const key = [names.principal(print.signer), columnOf(print.cycle), number];
            rows.add(signerClaimsTable, [...key, height, index, txPosition, sats]);
          }
        }
        if (print?.kind !== 'distribution') continue;
        const rate = rateOf(print.rewards, print.shares);
        waiting.push({ bond: columnOf(print.bond), index, rate });
        if (print.bond !== undefined) continue;
        if (print.cycle !== undefined) {
          const [cycle, calculated] = [columnOf(print.cycle), columnOf(print.calculationHeight)];
          for (const { bond, index, rate } of waiting)
            rows.add(ratesTable, [bond, cycle, height, index, calculated, txPosition, rate]);
        }
        waiting = [];
      }
    }
  },
};
