import type { Table } from '../../db/table.ts';

/** A history table that stores only the first row of a key. */
export type FirstTable = Table & { key: readonly string[] };

/** A table of current values: one row for each key. */
export type CurrentTable = Table & { key: readonly string[] };
