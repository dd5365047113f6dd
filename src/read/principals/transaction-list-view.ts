import { bareHex } from '@cairn-stacks/codec/hex';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { ReadCaches } from '../read-caches.ts';
import {
  type ListedTransactionOptions,
  placeKey,
  renderTransactionList,
  transactionNamespace,
} from '../transactions/transaction-list-view.ts';
import { renderWithCounts, renderWithTransfers } from './address-transaction-schema.ts';
import { listMoveKinds, listMoves } from './asset-moves-queries.ts';
import { cursorPage } from './cursor-page-view.ts';
import type { Account, Page } from './transaction-pages-queries.ts';
import { listPrincipalTransactions, type PrincipalTransaction } from './transactions-queries.ts';

/** The transactions of an account, each with everything it moved for the account. */
export const renderWithTransfersList = (
  caches: ReadCaches,
  sql: Sql,
  principal: Uint8Array,
  listed: readonly PrincipalTransaction[],
) =>
  caches.items.render(listed, {
    namespace: `transfers ${bareHex(principal)}`,
    keyOf: entry => placeKey(entry),
    read: async missing => {
      const moved = await listMoves(sql, principal, missing);
      const txs = await renderTransactionList(caches, sql, missing);
      return moved.map((row, i) => ({ ...row, tx: txs[i]! }));
    },
    render: ({ tx, moves, fee }, row) => renderWithTransfers({ ...row, fee }, tx, moves),
  });

/** The transactions of an account, each with the number of moves of each kind. */
export const renderWithCountsList = (
  caches: ReadCaches,
  sql: Sql,
  principal: Uint8Array,
  listed: readonly PrincipalTransaction[],
  { excludeFunctionArgs }: Pick<ListedTransactionOptions, 'excludeFunctionArgs'>,
) => {
  // This shape has nothing of the interfaces of contracts.
  const options = { excludeFunctionArgs, withoutInterface: true };
  return caches.items.render(listed, {
    namespace: `counts ${transactionNamespace(options)} ${bareHex(principal)}`,
    keyOf: entry => placeKey(entry),
    read: async missing => {
      const moved = await listMoveKinds(sql, principal, missing);
      const txs = await renderTransactionList(caches, sql, missing, options);
      return moved.map((row, i) => ({ ...row, tx: txs[i]! }));
    },
    render: ({ tx, kinds, fee }, row) => renderWithCounts({ ...row, fee }, tx, kinds),
  });
};

/** Transactions that touched a principal with the number of moves of each kind, newest first, by offset or by cursor. */
export async function listTransactionsWithCounts(
  caches: ReadCaches,
  sql: Reader,
  account: Account,
  page: Page,
  cursor: string | undefined,
  options: Pick<ListedTransactionOptions, 'excludeFunctionArgs'>,
) {
  const render = (rows: PrincipalTransaction[]) => renderWithCountsList(caches, sql, account.principal, rows, options);
  if (cursor !== undefined) {
    const { rows, ...cursors } = await inSnapshot(sql, sql => cursorPage(sql, account, page, cursor));
    return { ...page, ...cursors, results: await render(rows) };
  }
  const { total, rows } = await listPrincipalTransactions(sql, account, page, { hidden: 'idle' });
  return { ...page, total, results: await render(rows) };
}
