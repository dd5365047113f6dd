import { type Static, Type } from 'typebox';
import { LogEvent } from '../events/event-schema.ts';
import type { FilteredLogs } from './filtered-logs-queries.ts';
import type { ListedLog, Logs } from './logs-queries.ts';

const nullableCursor = Type.Union([Type.String(), Type.Null()]);

export const ContractLogPage = Type.Object(
  {
    limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
    offset: Type.Integer({ description: 'Number of results that were skipped from the cursor.' }),
    total: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of results of all pages; null with a filter.',
    }),
    next_cursor: nullableCursor,
    prev_cursor: nullableCursor,
    cursor: nullableCursor,
    results: Type.Array(LogEvent),
  },
  {
    title: 'ContractLogPage',
    description: '`next_cursor` is the newer page, `prev_cursor` the older one; each is null if there is no such page.',
  },
);

/** The position of a printed event: `block_height:microblock_sequence:tx_index:event_index`. */
const logCursor = (row: ListedLog) => `${row.height}:${row.microblock_sequence}:${row.tx_index}:${row.event_index}`;

type PageFields = Omit<Static<typeof ContractLogPage>, 'limit' | 'offset' | 'results'>;

/** The fields of a page in addition to its print events. */
export const renderLogPage = ({ total, page, newer, older }: Logs): PageFields => ({
  total,
  next_cursor: newer ? logCursor(newer) : null,
  prev_cursor: older ? logCursor(older) : null,
  cursor: page[0] ? logCursor(page[0]) : null,
});

/** Of a page of prints that match a filter: it is known what is older, not how many there are. */
export const renderFilteredPage = ({ page, older }: FilteredLogs): PageFields => ({
  total: null,
  next_cursor: null,
  prev_cursor: older ? logCursor(older) : null,
  cursor: page[0] ? logCursor(page[0]) : null,
});
