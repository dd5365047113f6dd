import type { Pieces } from '../../cache/rendered-items.ts';
import type { Sql } from '../../db/client.ts';
import { type ListedSummary, listSummariesAt } from '../../queries/transactions/summaries.ts';
import type { Shape } from '../../schemas/shape.ts';
import { renderSummary, type TransactionSummary } from '../../schemas/transactions/transaction-summary.ts';
import { placeKey } from '../transactions/transaction-list.ts';

/** The transactions of a list in short; those that were not shown of late are read by one question. */
export const gatherSummaries = (
  pieces: Pieces,
  sql: Sql,
  listed: readonly ListedSummary[],
  shape: Shape,
): Promise<TransactionSummary[]> =>
  pieces.gather(listed, {
    form: shape === '9.0' ? 'summary' : `summary of ${shape}`,
    keyOf: entry => placeKey(entry),
    read: missing => listSummariesAt(sql, missing),
    render: row => renderSummary(row, shape),
  });
