import { tokenStandardsOf } from '../../chain/tokens/token-standard.ts';
import { statusCodes } from '../../chain/transaction.ts';
import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';

const contractStandardsTable: Table = {
  name: 'contract_standards',
  columns: { contract: 'principal', height: 'int4', standard: 'int2' },
};

/** The token standards that a deployed contract fulfils, by its interface. */
export const tokenStandards: Projection = {
  tables: [contractStandardsTable],

  apply({ height, transactions }, _totals, _chain, rows) {
    for (const { receipt, status, target } of transactions) {
      if (receipt.abi === undefined || status !== statusCodes.success) continue;
      const type = receipt.transaction?.payload.type;
      if (type !== 'smart_contract' && type !== 'versioned_smart_contract') continue;
      for (const standard of tokenStandardsOf(JSON.parse(receipt.abi))) {
        rows.add(contractStandardsTable, [target, height, standard]);
      }
    }
  },
};
