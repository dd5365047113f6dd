import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { renderNftMintList, renderNftMoveList } from '../events/event-list-view.ts';
import { type EventRow, type ListedEvent, listEventsAt } from '../events/events-queries.ts';
import type { ReadCaches } from '../read-caches.ts';
import { listTransactionsAt } from '../transactions/positions-queries.ts';
import { renderTransaction } from '../transactions/transaction-schema.ts';
import { idOf, renderNftHistory, renderNftHolding, renderNftMint, type TransactionSource } from './nft-schema.ts';
import { type Counted, listNftHistory, listNftHoldingsWithin, listNftMints, type Place } from './nfts-queries.ts';

type Asset = { contract: Uint8Array; name: string };
type Page = { limit: number; offset: number };
type List<R> = (sql: Sql) => Promise<Counted<R>>;

type NftListOptions = {
  /** Whole transactions instead of their ids. */
  withTransactions: boolean;
  /** Include microblocks that no block has confirmed yet. */
  unanchored: boolean;
};

/** NFTs of a principal, the last moved first; of some classes only where given. */
export async function listHoldings(
  caches: ReadCaches,
  sql: Reader,
  owner: Uint8Array,
  assets: Asset[] | undefined,
  page: Page,
  { withTransactions }: Pick<NftListOptions, 'withTransactions'>,
) {
  const list = (sql: Sql) => listNftHoldingsWithin(sql, owner, assets, page);
  if (withTransactions) return await renderWithTransactions(caches, sql, list, renderNftHolding);
  const { total, rows } = await list(sql);
  return { total, results: rows.map(row => renderNftHolding(row, idOf(row))) };
}

/** Every move of an NFT, newest first. */
export async function listHistory(
  caches: ReadCaches,
  sql: Reader,
  asset: Asset,
  value: Uint8Array,
  page: Page,
  { withTransactions, unanchored }: NftListOptions,
) {
  const list = (sql: Sql) => listNftHistory(sql, asset, value, unanchored, page);
  if (withTransactions) return await renderWithTransactions(caches, sql, eventsOf(list), renderNftHistory);
  const { total, rows } = await list(sql);
  return { total, results: await renderNftMoveList(caches, sql, rows) };
}

/** Moves of an NFT that were found otherwise. */
export async function renderHistory(caches: ReadCaches, sql: Reader, rows: readonly ListedEvent[], whole = false) {
  if (!whole) return await renderNftMoveList(caches, sql, rows);
  return (await renderWithTransactions(caches, sql, eventsOf(listedAs(rows)), renderNftHistory)).results;
}

/** Mints that were found otherwise. */
export async function renderMints(caches: ReadCaches, sql: Reader, rows: readonly ListedEvent[], whole = false) {
  if (!whole) return await renderNftMintList(caches, sql, rows);
  return (await renderWithTransactions(caches, sql, eventsOf(listedAs(rows)), renderNftMint)).results;
}

const listedAs = (rows: readonly ListedEvent[]) => async () => ({ total: rows.length, rows: [...rows] });

/** The mints of a class, newest first. */
export async function listMints(
  caches: ReadCaches,
  sql: Reader,
  asset: Asset,
  page: Page,
  { withTransactions, unanchored }: NftListOptions,
) {
  const list = (sql: Sql) => listNftMints(sql, asset, unanchored, page);
  if (withTransactions) return await renderWithTransactions(caches, sql, eventsOf(list), renderNftMint);
  const { total, rows } = await list(sql);
  return { total, results: await renderNftMintList(caches, sql, rows) };
}

/** A list of events with their rows. */
function eventsOf(list: List<ListedEvent>): List<EventRow> {
  return async sql => {
    const { total, rows } = await list(sql);
    return { total, rows: await listEventsAt(sql, rows) };
  };
}

/** Renders a list with whole transactions instead of their ids. */
async function renderWithTransactions<R extends Place, T>(
  { interfaces }: ReadCaches,
  sql: Reader,
  list: List<R>,
  render: (row: R, source: TransactionSource) => T,
): Promise<{ total: number; results: T[] }> {
  return await inSnapshot(sql, async sql => {
    const { total, rows } = await list(sql);
    const transactions = await listTransactionsAt(sql, rows, interfaces);
    return { total, results: rows.map((row, i) => render(row, { tx: renderTransaction(transactions[i]!) })) };
  });
}
