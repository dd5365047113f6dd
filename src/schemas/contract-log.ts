import { type Static, Type } from 'typebox';
import type { LogRow } from '../queries/contract-logs.ts';
import { renderEvent, TransactionEvent } from './event.ts';

const nullableCursor = Type.Union([Type.String(), Type.Null()]);

export const ContractLogPage = Type.Object(
  {
    limit: Type.Integer(),
    offset: Type.Integer(),
    total: Type.Integer(),
    next_cursor: nullableCursor,
    prev_cursor: nullableCursor,
    cursor: nullableCursor,
    results: Type.Array(TransactionEvent),
  },
  { title: 'ContractLogPage', description: '`next` is the newer page, `prev` the older one.' },
);

/** Where a printed event stands: `block_height:microblock_sequence:tx_index:event_index`. */
export const logCursor = (row: LogRow) => `${row.height}:${row.microblock_sequence}:${row.tx_index}:${row.event_index}`;

export type LogPage = {
  limit: number;
  offset: number;
  total: number;
  rows: LogRow[];
  newer: LogRow | undefined;
  older: LogRow | undefined;
};

export const renderLogPage = (page: LogPage): Static<typeof ContractLogPage> => ({
  limit: page.limit,
  offset: page.offset,
  total: page.total,
  next_cursor: page.newer ? logCursor(page.newer) : null,
  prev_cursor: page.older ? logCursor(page.older) : null,
  cursor: page.rows[0] ? logCursor(page.rows[0]) : null,
  results: page.rows.map(renderEvent),
});
