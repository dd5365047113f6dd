import type { Shape } from '../../compat/shape.ts';
import type { Sql } from '../../db/client.ts';
import type { ReadCaches } from '../read-caches.ts';
import { type ListedSummary, listSummariesAt } from './summaries-queries.ts';
import { placeKey } from './transaction-list-view.ts';
import { renderSummary, type TransactionSummary } from './transaction-summary-schema.ts';

/** The summaries of a list of transactions; those missing from the cache are read by one statement. */
export const renderSummaryList = (
  caches: ReadCaches,
  sql: Sql,
  listed: readonly ListedSummary[],
  shape: Shape,
): Promise<TransactionSummary[]> =>
  caches.items.render(listed, {
    namespace: shape === '9.0' ? 'summary' : `summary of ${shape}`,
    keyOf: entry => placeKey(entry),
    read: missing => listSummariesAt(sql, missing),
    render: row => renderSummary(row, shape),
  });
