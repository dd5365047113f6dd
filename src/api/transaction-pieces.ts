import type { Sql } from '../db/client.ts';
import type { TransactionKey } from '../queries/transactions.ts';
import { listTransactionsAt } from '../queries/transactions-at.ts';
import { renderTransaction, type Transaction, type TransactionOptions } from '../schemas/transaction.ts';
import type { Pieces } from './pieces.ts';

export type ListedTransactionOptions = Pick<TransactionOptions, 'excludeFunctionArgs' | 'withoutInterface'>;

/** What the options leave out, as part of a name. */
export const transactionForm = ({ excludeFunctionArgs, withoutInterface }: ListedTransactionOptions) =>
  `tx${excludeFunctionArgs ? '-args' : ''}${withoutInterface ? '-abi' : ''}`;

/** The transactions of a list, without their events; those that were not shown of late are read by one question. */
export function gatherTransactions(
  pieces: Pieces,
  sql: Sql,
  listed: readonly TransactionKey[],
  options: ListedTransactionOptions = {},
): Promise<Transaction[]> {
  const form = transactionForm(options);
  return pieces.gather(listed, {
    nameOf: ({ height, place }) => `${form} ${height} ${place}`,
    read: missing => listTransactionsAt(sql, missing),
    render: row => renderTransaction(row, options),
  });
}
