import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import type { ExportFormat } from './export-params.ts';
import { type ExportEnd, isOnChain } from './export-queries.ts';
import { type Columns, csvHeaderOf, renderLine } from './export-schema.ts';

/** Rows of one read, and how many transactions, prints or rewards of the account it looks at. */
export const EXPORT_STEP = { limit: 500, most: 500 } as const;

/** What is exported: the names of its columns, and how a step of it is read, from a place on. The last one has no next place. */
export type ExportList<Row, Place> = Columns<Row> & {
  read: (sql: Sql, place: Place) => Promise<{ rows: Row[]; next: Place | undefined }>;
};

/**
 * The lines of an export up to the block `end`. A step bounds the memory and each statement. It fails if the chain loses the block
 * meanwhile.
 */
export async function* streamExport<Row, Place>(
  sql: Reader,
  { names, read, render }: ExportList<Row, Place>,
  { end, after, format }: { end: ExportEnd; after: Place; format: ExportFormat },
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield csvHeaderOf(names);
  let place: Place | undefined = after;
  while (place !== undefined) {
    const from: Place = place;
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
