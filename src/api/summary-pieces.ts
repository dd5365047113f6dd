import type { Sql } from '../db/client.ts';
import { type ListedSummary, listSummariesAt } from '../queries/transaction-summaries.ts';
import type { Shape } from '../schemas/shape.ts';
import { renderSummary, type TransactionSummary } from '../schemas/transaction-summary.ts';
import type { Pieces } from './pieces.ts';
import { placeKey } from './transaction-pieces.ts';

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
