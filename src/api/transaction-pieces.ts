import type { Sql } from '../db/client.ts';
import type { TransactionKey } from '../queries/transactions.ts';
import { listTransactionsAt } from '../queries/transactions-at.ts';
import { renderTransaction, type Transaction, type TransactionOptions } from '../schemas/transaction.ts';
import { assertUnmoved, type Pieces } from './pieces.ts';

export type ListedTransactionOptions = Pick<TransactionOptions, 'excludeFunctionArgs' | 'withoutInterface'>;

/** The transactions of a list, without their events; those that were not shown of late are read by one question. */
export async function gatherTransactions(
  pieces: Pieces,
  sql: Sql,
  keys: readonly TransactionKey[],
  options: ListedTransactionOptions = {},
): Promise<Transaction[]> {
  const form = `tx${options.excludeFunctionArgs ? '-args' : ''}${options.withoutInterface ? '-abi' : ''}`;
  const nameOf = ({ height, place, version }: TransactionKey) =>
    version === null ? undefined : `${form} ${height} ${place} ${version}`;
  return await pieces.gather(keys, nameOf, async missing => {
    const rows = await listTransactionsAt(sql, missing);
    assertUnmoved(rows, missing);
    return rows.map(row => renderTransaction(row, options));
  });
}
