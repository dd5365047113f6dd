import { toHex } from '@cairn-stacks/codec/hex';
import { payloadIdsOf, type TransactionType, transactionTypes } from '../chain/transaction.ts';
import type { Sql } from '../db/client.ts';
import { listBlocksAt } from '../read/blocks/blocks-queries.ts';
import { listPrincipalTransactions } from '../read/principals/transactions-queries.ts';
import { countOfTypes, listConfirmed } from '../read/transactions/list-queries.ts';
import { findMinedTransaction } from '../read/transactions/lookup-queries.ts';
import { listTransactionsAt } from '../read/transactions/positions-queries.ts';
import type { Transaction } from '../read/transactions/transactions-queries.ts';
import { principalOf } from './account.ts';
import { hashOf, identifierOf, usualHash } from './block-identifier.ts';
import { type BlockOptions, boundsOf, readTransactions } from './blocks.ts';
import { RosettaError } from './errors.ts';
import { STX } from './operations/currency.ts';
import { isSuccessful } from './operations/operation-types.ts';
import { findEventOf } from './queries/stx-movements.ts';
import type { RosettaTransaction } from './schemas/rosetta.ts';
import { firstPart, type Part, partWith } from './transaction-parts.ts';

export type Search = {
  operator?: 'and' | 'or' | undefined;
  max_block?: number | undefined;
  transaction_identifier?: { hash: string } | undefined;
  account_identifier?: { address: string; sub_account?: object | undefined } | undefined;
  address?: string | undefined;
  type?: string | undefined;
  status?: string | undefined;
  success?: boolean | undefined;
  currency?: { symbol: string } | undefined;
  coin_identifier?: object | undefined;
};

export type SearchPage = { limit: number; offset: number };

export type Found = { total: number; rows: Transaction[]; transactions: RosettaTransaction[] };

/** Finds transactions by an index; any other search is rejected with a message that says what to change. */
export async function searchTransactions(
  sql: Sql,
  search: Search,
  page: SearchPage,
  options: BlockOptions,
): Promise<Found> {
  const query = queryOf(search);
  if (query.hash !== undefined) return await findOne(sql, query.hash, search, page, options);
  const { total, rows: keys } =
    query.address === undefined
      ? await listOfType(sql, query.types, page, search.max_block)
      : await listOfAccount(sql, principalOf(query.address, options), page, search.max_block);
  const rows = await listTransactionsAt(sql, keys, options.interfaces);
  return { total, rows, transactions: await readTransactions(sql, rows, options) };
}

type SearchQuery = { hash?: string | undefined; address?: string | undefined; types: number[] | 'all' };

/** The index that a search uses. */
function queryOf(search: Search): SearchQuery {
  const { account_identifier: account, address, type, status, success, currency } = search;
  const hash = search.transaction_identifier?.hash;
  const given = [hash, account, address, type, status, success, currency].filter(part => part !== undefined).length;
  if (search.coin_identifier) throw invalid('there are no coins: leave coin_identifier out');
  if (account?.sub_account) throw invalid('leave sub_account out: transactions belong to the whole account');
  if (currency && currency.symbol !== STX.symbol) throw invalid('only STX can be searched for: leave currency out');
  if (search.operator === 'or' && given > 1)
    throw invalid('operator or takes one condition: send one request for each');
  if (account && address !== undefined && account.address !== address) {
    throw invalid('account_identifier and address differ: give one of them');
  }
  const who = account?.address ?? address;
  if (hash !== undefined) return { hash, types: 'all' };
  if (status !== undefined || success !== undefined) {
    throw invalid('status and success are known only of a transaction: give transaction_identifier, or leave them out');
  }
  if (who !== undefined && type !== undefined) {
    throw invalid('an account and a type cannot be searched for together: leave one of them out');
  }
  return { address: who, types: type === undefined ? 'all' : typesOf(type) };
}

const invalid = (detail: string) => new RosettaError(609, detail);

function typesOf(type: string): number[] {
  const names: readonly string[] = transactionTypes;
  if (names.includes(type)) return payloadIdsOf(type as TransactionType);
  throw invalid(`type must be one of ${names.join(', ')}: operations of other types are found by their transaction`);
}

/** Each block stores running totals, so that transactions above a height can be skipped by their number. */
async function listOfType(sql: Sql, types: number[] | 'all', page: SearchPage, maxBlock: number | undefined) {
  const [all, below] = await Promise.all([
    countOfTypes(sql, types),
    maxBlock === undefined ? undefined : countOfTypes(sql, types, maxBlock),
  ]);
  const total = below?.total ?? all.total;
  const filter = types === 'all' ? {} : { payloadIds: types };
  const { limit, offset } = page;
  const { rows } = await listConfirmed(sql, {
    ...{ filter, sortBy: 'block_height', order: 'desc', limit },
    offset: offset + all.total - total,
  });
  return { total, rows };
}

async function listOfAccount(sql: Sql, principal: Uint8Array, page: SearchPage, maxBlock: number | undefined) {
  const account = {
    principal,
    asOf: maxBlock === undefined ? ('tip' as const) : { height: maxBlock },
  };
  return await listPrincipalTransactions(sql, account, page, { hidden: 'none', direct: true });
}

/** True if the transaction meets every other condition. */
async function findOne(
  sql: Sql,
  hash: string,
  search: Search,
  { limit, offset }: SearchPage,
  options: BlockOptions,
): Promise<Found> {
  const row = await findMinedTransaction(sql, hashOf(hash, 608), options.interfaces);
  const part = row && (await partAbout(sql, row, search, options));
  const [transaction] = row ? await readTransactions(sql, [row], options, part) : [];
  if (!row || !transaction || row.height > (search.max_block ?? row.height) || !matches(transaction, search)) {
    return { total: 0, rows: [], transactions: [] };
  }
  const shown = offset === 0 && limit > 0;
  return { total: 1, rows: shown ? [row] : [], transactions: shown ? [transaction] : [] };
}

/** The part of a large transaction that moves STX of the account of a search; undefined where the first one will do. */
async function partAbout(
  sql: Sql,
  row: Transaction,
  { account_identifier: account, address }: Search,
  options: BlockOptions,
): Promise<Part | undefined> {
  const who = account?.address ?? address;
  const bounds = boundsOf(options);
  if (options.compat || who === undefined || firstPart(row, bounds).count === 1) return undefined;
  const index = await findEventOf(sql, row, principalOf(who, options));
  return index === undefined ? undefined : partWith(row, index, bounds);
}

function matches({ operations }: RosettaTransaction, search: Search): boolean {
  const who = search.account_identifier?.address ?? search.address;
  const { type, status, success } = search;
  return (
    (who === undefined || operations.some(({ account }) => account?.address === who)) &&
    (type === undefined || operations.some(operation => operation.type === type)) &&
    (status === undefined || operations.some(operation => operation.status === status)) &&
    (success === undefined || operations.every(operation => isSuccessful(operation.status)) === success)
  );
}

/** The block identifiers of some rows, in their order. */
export async function blocksOf(sql: Sql, rows: readonly Transaction[], { blockHash = usualHash }: BlockOptions) {
  if (blockHash === 'block_hash') return rows.map(row => ({ index: row.height, hash: toHex(row.block_hash) }));
  const blocks = await listBlocksAt(
    sql,
    rows.map(row => row.height),
  );
  return blocks.map(block => identifierOf(block, blockHash));
}
