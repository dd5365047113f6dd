import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { type HistoryPlace, type HistoryStep, outermost } from '../filters/steps-queries.ts';
import type { ExportFormat } from './export-params.ts';
import { type ExportEnd, isOnChain } from './export-queries.ts';
import { csvHeaderOf, type ExportRecord, renderLine } from './export-schema.ts';

/** Rows of one read, and how many transactions, prints or rewards of the account it looks at. */
export const EXPORT_STEP = { limit: 500, most: 500 } as const;

/** What is exported: the names of its columns, and how a step of it is read, oldest first. */
export type ExportList<Row> = {
  names: readonly string[];
  read: (sql: Sql, place: HistoryPlace) => Promise<HistoryStep<Row>>;
  render: (row: Row) => ExportRecord;
};

/**
 * The lines of an export up to the block `end`. A step bounds the memory and each statement. It fails if the chain loses the block
 * meanwhile.
 */
export async function* streamExport<Row>(
  sql: Reader,
  { names, read, render }: ExportList<Row>,
  { end, after, format }: { end: ExportEnd; after: HistoryPlace | undefined; format: ExportFormat },
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield csvHeaderOf(names);
  let place: HistoryPlace | undefined = after ?? outermost.oldest;
  while (place) {
    const from: HistoryPlace = place;
    const { rows, next } = await inSnapshot(sql, async snapshot => {
      if (!(await isOnChain(snapshot, end))) {
        throw new Error(`block ${end.height} was removed from the chain while a history up to it was sent`);
      }
      return await read(snapshot, from);
    });
    if (rows.length > 0) yield rows.map(row => renderLine(format, names, render(row))).join('');
    place = next;
  }
}
