import { poxVersion } from '../../chain/pox/contract.ts';
import { readPoxPrint } from '../../chain/pox/print.ts';
import { columnOf } from '../../chain/print-fields.ts';
import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';
import type { ResolvedEvent } from '../rows/resolved-block.ts';

const stxLocksTable: Table = {
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

/** Locks of STX: a lock event carries the new total, so the newest row of an account is its state. */
export const stxLocks: Projection = {
  tables: [stxLocksTable],

  apply({ height, transactions, names }, _totals, _chain, rows) {
    for (const { events, txPosition } of transactions) {
      for (const event of events) {
        const { source, sender, asset, index, amount } = event;
        if (source.kind === 'stx_lock') {
          // Burn heights beyond the column are sentinels of custom networks that mean never.
          const unlockHeight = columnOf(BigInt(source.unlockHeight));
          rows.add(stxLocksTable, [sender, height, index, asset, unlockHeight, txPosition, amount]);
        } else if (source.kind === 'print') {
          const lifted = liftedLock(event);
          if (!lifted) continue;
          const unlockHeight = columnOf(lifted.unlockHeight);
          rows.add(stxLocksTable, [
            names.principal(lifted.stacker),
            height,
            index,
            asset,
            unlockHeight,
            txPosition,
            0n,
          ]);
        }
      }
    }
  },
};

/** The early end of a lock that a print announces: pox-2 and pox-3 unlock stackers below the threshold at once. */
function liftedLock({ source }: ResolvedEvent) {
  if (source.kind !== 'print') return undefined;
  const version = poxVersion(source.contract);
  if (version !== 2 && version !== 3) return undefined;
  const print = readPoxPrint(source.value);
  return print?.name === 'handle-unlock' ? print : undefined;
}
