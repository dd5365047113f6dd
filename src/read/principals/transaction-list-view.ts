import { bareHex } from '../../codec/hex.ts';
import type { Pool, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import { renderEventList } from '../events/event-list-view.ts';
import { assertBlockAsOf } from '../pages/page-errors.ts';
import type { ReadCaches } from '../read-caches.ts';
import {
  type ListedTransactionOptions,
  placeKey,
  renderTransactionList,
  transactionNamespace,
} from '../transactions/transaction-list-view.ts';
import { renderTransaction } from '../transactions/transaction-schema.ts';
import { renderAddressEvent } from './address-event-schema.ts';
import { renderWithCounts, renderWithStx, renderWithTransfers } from './address-transaction-schema.ts';
import { listMoveKinds, listMoves, listMovesOf, listPrincipalEvents } from './asset-moves-queries.ts';
import { cursorPage } from './cursor-page-view.ts';
import { renderInboundList } from './inbound-list-view.ts';
import { listInboundTransfers } from './inbound-transfers-queries.ts';
import type { Account, Page } from './transaction-pages-queries.ts';
import {
  findPrincipalTransaction,
  listPrincipalTransactions,
  type PrincipalTransaction,
} from './transactions-queries.ts';

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

/** The same with the number of moves of each kind. */
export const renderWithCountsList = (
  caches: ReadCaches,
  sql: Sql,
  principal: Uint8Array,
  listed: readonly PrincipalTransaction[],
  options: ListedTransactionOptions,
) =>
  caches.items.render(listed, {
    namespace: `counts ${transactionNamespace(options)} ${bareHex(principal)}`,
    keyOf: entry => placeKey(entry),
    read: async missing => {
      const moved = await listMoveKinds(sql, principal, missing);
      const txs = await renderTransactionList(caches, sql, missing, options);
      return moved.map((row, i) => ({ ...row, tx: txs[i]! }));
    },
    render: ({ tx, kinds, fee }, row) => renderWithCounts({ ...row, fee }, tx, kinds),
  });

/** Transactions that touched a principal, newest first. */
export async function listTransactionsOf(
  caches: ReadCaches,
  sql: Pool,
  account: Account,
  page: Page,
  options: ListedTransactionOptions,
) {
  const list = { hidden: 'all', direct: true } as const;
  const { total, rows, known } = await listPrincipalTransactions(sql, account, page, list);
  if (!known) await assertBlockAsOf(sql, account.asOf);
  return { ...page, total, results: await renderTransactionList(caches, sql, rows, options) };
}

/** Transactions that touched a principal with everything they moved for it, newest first. */
export async function listTransactionsWithTransfers(caches: ReadCaches, sql: Pool, account: Account, page: Page) {
  const list = { hidden: 'none', byIndex: true } as const;
  const { total, rows, known } = await listPrincipalTransactions(sql, account, page, list);
  if (!known) await assertBlockAsOf(sql, account.asOf);
  return { ...page, total, results: await renderWithTransfersList(caches, sql, account.principal, rows) };
}

/** Transactions that touched a principal with the number of moves of each kind, newest first, by offset or by cursor. */
export async function listTransactionsWithCounts(
  caches: ReadCaches,
  sql: Pool,
  account: Account,
  page: Page,
  cursor: string | undefined,
  { excludeFunctionArgs }: Pick<ListedTransactionOptions, 'excludeFunctionArgs'>,
) {
  // This shape has nothing of the interfaces of contracts.
  const options = { excludeFunctionArgs, withoutInterface: true };
  const render = (rows: PrincipalTransaction[]) => renderWithCountsList(caches, sql, account.principal, rows, options);
  if (cursor !== undefined) {
    const { rows, ...cursors } = await inSnapshot(sql, sql => cursorPage(sql, account, page, cursor));
    return { ...page, ...cursors, results: await render(rows) };
  }
  const { total, rows } = await listPrincipalTransactions(sql, account, page, { hidden: 'idle' });
  return { ...page, total, results: await render(rows) };
}

/** One transaction with the STX that it moved for a principal. */
export async function findTransactionWithTransfers(
  { interfaces }: ReadCaches,
  sql: Sql,
  principal: Uint8Array,
  txId: Uint8Array | undefined,
) {
  const row = txId && (await findPrincipalTransaction(sql, principal, txId, interfaces));
  if (!row) throw notFound('No matching transaction found');
  return { body: renderWithStx(row, renderTransaction(row), row.moves), height: row.height };
}

/** What one transaction moved for a principal. */
export async function listMovesOfTransaction(sql: Sql, principal: Uint8Array, txId: Uint8Array, page: Page) {
  const events = await listMovesOf(sql, principal, txId, page);
  if (!events) throw notFound('Transaction not found');
  const body = { ...page, total: events.total, results: events.rows.map(renderAddressEvent) };
  return { body, height: events.rows[0]?.height };
}

/** Transfers and locks of the assets of a principal, newest first. */
export async function listAssetEvents(caches: ReadCaches, sql: Pool, account: Account, page: Page) {
  const { total, rows, known } = await listPrincipalEvents(sql, account, page);
  if (!known) await assertBlockAsOf(sql, account.asOf);
  return { ...page, total, results: await renderEventList(caches, sql, rows) };
}

/** STX transfers to a principal with a memo, newest first. */
export async function listInboundStx(caches: ReadCaches, sql: Pool, account: Account, page: Page) {
  const { total, rows, known } = await listInboundTransfers(sql, account, page);
  if (!known) await assertBlockAsOf(sql, account.asOf);
  return { ...page, total, results: await renderInboundList(caches, sql, rows) };
}
