import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';

const microblocksTable: Table = {
  name: 'microblocks',
  columns: { height: 'int4', sequence: 'int4', ordinal: 'int4', hash: 'bytea', parent_hash: 'bytea' },
};

/** The microblocks a block confirms, read off its transactions: none is without one. */
export const microblocks: Projection = {
  tables: [microblocksTable],

  apply({ height, transactions }, _totals, chain, rows) {
    const seen = new Set<number>();
    for (const { receipt } of transactions) {
      const { microblock } = receipt;
      if (!microblock || seen.has(microblock.sequence)) continue;
      seen.add(microblock.sequence);
      rows.add(microblocksTable, [
        height,
        microblock.sequence,
        ++chain.microblocks,
        microblock.hash,
        microblock.parentHash,
      ]);
    }
  },
};
