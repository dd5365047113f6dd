import { type BlockReference, readTransactionIds } from '../../node/messages.ts';
import { type LoggedEvent, parseEvent } from '../log/event-reader.ts';
import type { Batch } from '../rows/batch.ts';
import type { FirstTable } from '../rows/table-kinds.ts';

const orphanTransactionsTable: FirstTable = {
  name: 'orphan_transactions',
  columns: { tx_id: 'bytea', index_hash: 'bytea', side: 'bool' },
  key: ['tx_id', 'index_hash'],
};

/** Makes the transactions of a block that never was canonical known to a search: the log has their bytes. */
export function addNonCanonicalTransactions(batch: Batch, event: LoggedEvent, { indexHash }: BlockReference): void {
  for (const id of readTransactionIds(parseEvent(event))) {
    batch.first(orphanTransactionsTable, `${id.toString('hex')}${indexHash.toString('hex')}`, [id, indexHash, true]);
  }
}
