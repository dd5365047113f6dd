import type { Pieces } from '../../cache/rendered-items.ts';
import type { Sql } from '../../db/client.ts';
import { listTransactionsAt } from '../../queries/transactions/positions.ts';
import type { TransactionKey } from '../../queries/transactions/transactions.ts';
import {
  renderTransaction,
  type Transaction,
  type TransactionOptions,
} from '../../schemas/transactions/transaction.ts';

export type ListedTransactionOptions = Pick<
  TransactionOptions,
  'excludeFunctionArgs' | 'withoutInterface' | 'withState'
>;

/** The place of a transaction as one number. */
export const placeKey = ({ height, place }: Pick<TransactionKey, 'height' | 'place'>) => height * 65_536 + place;

/** What the options leave out, as part of a name. */
export const transactionForm = ({ excludeFunctionArgs, withoutInterface, withState }: ListedTransactionOptions) =>
  `tx${excludeFunctionArgs ? '-args' : ''}${withoutInterface ? '-abi' : ''}${withState ? '+state' : ''}`;

/** The transactions of a list, without their events; those that were not shown of late are read by one question. */
export function gatherTransactions(
  pieces: Pieces,
  sql: Sql,
  listed: readonly TransactionKey[],
  options: ListedTransactionOptions = {},
): Promise<Transaction[]> {
  return pieces.gather(listed, {
    form: transactionForm(options),
    keyOf: entry => placeKey(entry),
    read: missing => listTransactionsAt(sql, missing),
    render: row => renderTransaction(row, options),
  });
}
