import { packCost } from '../../chain/execution-cost.ts';
import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';

const transactionsTable: Table = {
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

const transactionExtrasTable: Table = {
  name: 'transaction_extras',
  columns: { height: 'int4', place: 'int2', name: 'text', body: 'text' },
};

/** The microblock sequence that the public API shows for an anchored transaction. */
const anchored = 2_147_483_647;
const none = new Uint8Array(0);

/** Every executed transaction with its bytes, result and cost. */
export const transactions: Projection = {
  tables: [transactionsTable, transactionExtrasTable],

  apply({ height, transactions }, _totals, chain, rows) {
    for (const tx of transactions) {
      const { receipt, txPosition, payloadId, status } = tx;
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
        txPosition,
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
        rows.add(transactionExtrasTable, [height, txPosition, 'burn_operation', operationJson(receipt.burnOperation)]);
      }
      if (status === 0) rows.add(transactionExtrasTable, [height, txPosition, 'status', receipt.status]);
      if (receipt.problematicSkipped !== undefined) {
        rows.add(transactionExtrasTable, [
          height,
          txPosition,
          'problematic_skipped',
          String(receipt.problematicSkipped),
        ]);
      }
      if (tx.genesis) rows.add(transactionExtrasTable, [height, txPosition, 'genesis', '']);
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
