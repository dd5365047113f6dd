import type { Reader } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { type KeyedChange, sortChanges } from '../principals/balance-change-schema.ts';
import { listBalanceChanges } from '../principals/balance-changes-queries.ts';
import {
  type HistoryPosition,
  type HistoryRow,
  listTransactionHistory,
} from '../principals/transaction-history-queries.ts';
import { csvHeader, renderCsvLines } from './account-csv-schema.ts';
import { type SeriesEnd, seriesRange } from './range-queries.ts';

/** Transactions of one read. */
const PAGE = 200;

/**
 * The transactions of a principal as CSV, oldest first, up to the block that is the tip at the beginning. A page bounds the
 * memory and each statement. It fails if blocks are removed from the chain meanwhile.
 */
export async function* streamAccountCsv(
  sql: Reader,
  principal: Uint8Array,
  { from, to }: { from?: SeriesEnd; to?: SeriesEnd },
): AsyncGenerator<string, void, void> {
  const [range] = await sql<{ first: number; last: number }[]>`${seriesRange(sql, from, to)}`;
  yield csvHeader;
  if (!range) return;
  let revision: string | undefined;
  for (const part of ['genesis', 'blocks'] as const) {
    let after: HistoryPosition = { height: range.first, place: -1 };
    for (;;) {
      const { rows, changes } = await readPage(sql, principal, { part, after, upTo: range.last, limit: PAGE });
      const last = rows.at(-1);
      if (!last) break;
      revision ??= last.revision;
      if (last.revision !== revision) {
        throw new Error('the chain was reorganized while the history of a principal was sent');
      }
      yield rows.map(row => renderCsvLines(row, changes.get(keyOf(row)) ?? [])).join('');
      after = last;
    }
  }
}

const readPage = (sql: Reader, principal: Uint8Array, page: Parameters<typeof listTransactionHistory>[2]) =>
  inSnapshot(sql, async snapshot => {
    const rows = await listTransactionHistory(snapshot, principal, page);
    const ids = rows.map(row => row.tx_id);
    const changes = new Map<string, KeyedChange[]>();
    if (ids.length === 0) return { rows, changes };
    for (const change of sortChanges(await listBalanceChanges(snapshot, principal, ids))) {
      const own = changes.get(keyOf(change));
      if (own) own.push(change);
      else changes.set(keyOf(change), [change]);
    }
    return { rows, changes };
  });

const keyOf = ({ height, place }: Pick<HistoryRow, 'height' | 'place'>) => `${height} ${place}`;
