import type { Sql } from './client.ts';
import { stoppable } from './pool/stoppable.ts';

/**
 * Summarizes the pages of tables that were filled since the last time, for the indexes that know heights by ranges of pages. A
 * range without a summary is read by every rollback, and the server's own vacuum may come much later. One statement for each
 * index: its lock holds up a vacuum of the table, never a reader or a writer.
 */
export async function summarizeNewRanges(sql: Sql, table?: string, signal?: AbortSignal): Promise<void> {
  const indexes = await sql<{ id: number }[]>`
    select i.indexrelid::int as id
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_am a on a.oid = c.relam
    join pg_class t on t.oid = i.indrelid
    where a.amname = 'brin' and t.relnamespace = current_schema()::regnamespace
      ${table === undefined ? sql`` : sql`and t.relname = ${table}`}
  `;
  for (const { id } of indexes) await stoppable(sql`select brin_summarize_new_values(${id}::oid)`, signal);
}
