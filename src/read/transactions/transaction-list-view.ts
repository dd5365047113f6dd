import type { Sql } from '../../db/client.ts';
import type { ReadCaches } from '../read-caches.ts';
import { listTransactionsAt } from './positions-queries.ts';
import { renderTransaction, type Transaction, type TransactionOptions } from './transaction-schema.ts';
import type { TransactionKey } from './transactions-queries.ts';

export type ListedTransactionOptions = Pick<
  TransactionOptions,
  'excludeFunctionArgs' | 'withoutInterface' | 'withState'
>;

/** The place of a transaction as one number. */
export const placeKey = ({ height, place }: Pick<TransactionKey, 'height' | 'place'>) => height * 65_536 + place;

/** What the options leave out, as part of a name. */
export const transactionNamespace = ({ excludeFunctionArgs, withoutInterface, withState }: ListedTransactionOptions) =>
  `tx${excludeFunctionArgs ? '-args' : ''}${withoutInterface ? '-abi' : ''}${withState ? '+state' : ''}`;

/** The transactions of a list, without their events; those missing from the cache are read by one statement. */
export function renderTransactionList(
  caches: ReadCaches,
  sql: Sql,
  listed: readonly TransactionKey[],
  options: ListedTransactionOptions = {},
): Promise<Transaction[]> {
  return caches.items.render(listed, {
    namespace: transactionNamespace(options),
    keyOf: entry => placeKey(entry),
    read: missing => listTransactionsAt(sql, missing, options.withoutInterface ? undefined : caches.interfaces),
    render: row => renderTransaction(row, options),
  });
}
