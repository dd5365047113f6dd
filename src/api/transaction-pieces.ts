import type { Sql } from '../db/client.ts';
import type { TransactionKey } from '../queries/transactions.ts';
import { listTransactionsAt } from '../queries/transactions-at.ts';
import { renderTransaction, type Transaction, type TransactionOptions } from '../schemas/transaction.ts';
import { assertUnmoved, type Pieces } from './pieces.ts';

export type ListedTransactionOptions = Pick<TransactionOptions, 'excludeFunctionArgs' | 'withoutInterface'>;

/** What the options leave out, as part of a name. */
export const transactionForm = ({ excludeFunctionArgs, withoutInterface }: ListedTransactionOptions) =>
  `tx${excludeFunctionArgs ? '-args' : ''}${withoutInterface ? '-abi' : ''}`;

/** The transactions of a list, without their events; those that were not shown of late are read by one question. */
export async function gatherTransactions(
  pieces: Pieces,
  sql: Sql,
  keys: readonly TransactionKey[],
  options: ListedTransactionOptions = {},
): Promise<Transaction[]> {
  const form = transactionForm(options);
  const nameOf = ({ height, place, version }: TransactionKey) =>
    version === null ? undefined : `${form} ${height} ${place} ${version}`;
  return await pieces.gather(keys, nameOf, async missing => {
    const rows = await listTransactionsAt(sql, missing);
    assertUnmoved(rows, missing);
    return rows.map(row => renderTransaction(row, options));
  });
}
