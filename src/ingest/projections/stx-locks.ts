import type { Table } from '../../db/table.ts';
import type { Projection } from '../projection.ts';

export const stxLocksTable: Table = {
  name: 'stx_locks',
  columns: {
    principal: 'principal',
    height: 'int4',
    event_index: 'int4',
    contract: 'principal',
    unlock_height: 'int4',
    place: 'int2',
    amount: 'numeric',
  },
};

/** Burn heights beyond this are sentinels of custom networks: as good as never. */
const never = 2_147_483_647;

/** Locks of STX: a lock event carries the new total, so the newest row of an account is its state. */
export const stxLocks: Projection = {
  tables: [stxLocksTable],

  apply({ height, transactions }, _ledger, _totals, rows) {
    for (const { events, place } of transactions) {
      for (const { source, sender, asset, index, amount } of events) {
        if (source.kind !== 'stx_lock') continue;
        rows.add(stxLocksTable, [sender, height, index, asset, Math.min(source.unlockHeight, never), place, amount]);
      }
    }
  },
};
