import { functionDigests } from '../../chain/abi.ts';
import { statusCodes } from '../../chain/transaction.ts';
import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';

const contractsTable: Table = {
  name: 'contracts',
  columns: {
    contract: 'principal',
    height: 'int4',
    place: 'int2',
    clarity_version: 'int2',
    functions: 'int8[]',
    abi: 'text',
  },
};

/** Contracts that a successful transaction deployed. Their source is in the bytes of that transaction. */
export const contracts: Projection = {
  tables: [contractsTable],

  apply({ height, transactions }, _totals, _chain, rows) {
    for (const { receipt, txPosition, status, target } of transactions) {
      const payload = receipt.transaction?.payload;
      if (payload?.type !== 'smart_contract' && payload?.type !== 'versioned_smart_contract') continue;
      // A deploy that failed leaves the name free.
      if (status !== statusCodes.success) continue;
      const version = payload.type === 'versioned_smart_contract' ? payload.clarityVersion : 0;
      const digests = receipt.abi ? functionDigests(JSON.parse(receipt.abi)) : [];
      rows.add(contractsTable, [target, height, txPosition, version, digests, receipt.abi ?? '']);
    }
  },
};
