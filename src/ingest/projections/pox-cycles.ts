import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';

const poxCyclesTable: Table = {
  name: 'pox_cycles',
  columns: { cycle: 'int4', height: 'int4', weight: 'int4', signers: 'int4', stacked: 'numeric' },
};

const poxCycleSignersTable: Table = {
  name: 'pox_cycle_signers',
  columns: { cycle: 'int4', height: 'int4', weight: 'int4', stacked: 'numeric', key: 'bytea' },
};

/** The signer set of a cycle, from the block that fixed it. */
export const poxCycles: Projection = {
  tables: [poxCyclesTable, poxCycleSignersTable],

  apply({ height, block }, _totals, _chain, rows) {
    if (!block.rewardSet) return;
    const { cycle, signers } = block.rewardSet;
    const weight = signers.reduce((sum, signer) => sum + signer.weight, 0);
    const stacked = signers.reduce((sum, signer) => sum + signer.stacked, 0n);
    rows.add(poxCyclesTable, [cycle, height, weight, signers.length, stacked]);
    for (const signer of signers) {
      rows.add(poxCycleSignersTable, [cycle, height, signer.weight, signer.stacked, signer.key]);
    }
  },
};
