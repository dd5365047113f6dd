import { packCost } from '../../chain/execution-cost.ts';
import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';

export const transactionsTable: Table = {
  name: 'transactions',
  columns: {
    fee: 'int8',
    nonce: 'int8',
    height: 'int4',
    sender: 'principal',
    sponsor: 'principal',
    target: 'principal',
    function: 'function',
    event_count: 'int4',
    tx_index: 'int4',
    microblock_sequence: 'int4',
    place: 'int2',
    type: 'int2',
    status: 'int2',
    tx_id: 'bytea',
    microblock: 'bytea',
    cost: 'bytea',
    result: 'bytea',
    raw: 'bytea',
    vm_error: 'text',
  },
};

export const transactionExtrasTable: Table = {
  name: 'transaction_extras',
  columns: { height: 'int4', place: 'int2', name: 'text', body: 'text' },
};

/** What the public API shows as the microblock sequence of an anchored transaction. */
const anchored = 2_147_483_647;
const none = new Uint8Array(0);

/** Every executed transaction with its bytes, result and cost. */
export const transactions: Projection = {
  tables: [transactionsTable, transactionExtrasTable],

  apply({ height, transactions }, _totals, chain, rows) {
    for (const tx of transactions) {
      const { receipt, place, payloadId, status } = tx;
      chain.transactions++;
      // An array of the database has no gaps.
      while (chain.byType.length < payloadId) chain.byType.push(0);
      chain.byType[payloadId] = (chain.byType[payloadId] ?? 0) + 1;
      rows.add(transactionsTable, [
        tx.fee,
        tx.nonce,
        height,
        tx.sender,
        tx.sponsor,
        tx.target,
        tx.function,
        receipt.events.length,
        receipt.index,
        receipt.microblock?.sequence ?? anchored,
        place,
        payloadId,
        status,
        receipt.txId,
        receipt.microblock?.hash ?? none,
        packCost(receipt.cost),
        receipt.result,
        receipt.raw,
        receipt.vmError ?? '',
      ]);
      if (receipt.burnOperation) {
        rows.add(transactionExtrasTable, [height, place, 'burn_operation', operationJson(receipt.burnOperation)]);
      }
      if (status === 0) rows.add(transactionExtrasTable, [height, place, 'status', receipt.status]);
      if (receipt.problematicSkipped !== undefined) {
        rows.add(transactionExtrasTable, [height, place, 'problematic_skipped', String(receipt.problematicSkipped)]);
      }
      if (tx.genesis) rows.add(transactionExtrasTable, [height, place, 'genesis', '']);
    }
  },
};

/** Amounts as decimal text and bytes as hex: JSON has neither. */
const operationJson = (operation: object) =>
  JSON.stringify(operation, (_, value) =>
    typeof value === 'bigint'
      ? value.toString()
      : value?.type === 'Buffer'
        ? Buffer.from(value.data).toString('hex')
        : value,
  );
