import type { Sql } from '../../db/client.ts';
import { prunableTo, stillNeeded } from '../log/log-retention.ts';

/** How a snapshot without old events differs from the tables: other values of columns, and a condition for rows. */
export type EventFilter = {
  prunedTo: bigint;
  tables: Readonly<Record<string, { values?: Readonly<Record<string, string>>; condition?: string }>>;
};

/** The filter that leaves out what `cairn prune` would remove; undefined if that is nothing. */
export async function findEventFilter(sql: Sql, keepBlocks: number): Promise<EventFilter | undefined> {
  const to = await prunableTo(sql, keepBlocks);
  if (to === undefined) return undefined;
  return {
    prunedTo: to,
    tables: {
      event_log: { condition: `r.id > ${to} or ${stillNeeded('r.id')}` },
      event_log_head: { values: { pruned_to: `${to}::bigint` } },
    },
  };
}
