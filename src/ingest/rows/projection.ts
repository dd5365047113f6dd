import type { Row, Table } from '../../db/table.ts';
import type { CurrentValues } from './current-values.ts';
import type { ResolvedBlock } from './resolved-block.ts';
import type { Declared, RunningTotals } from './running-totals.ts';
import type { CurrentTable, FirstTable } from './table-kinds.ts';

/** Where a projection puts its rows. */
export type Rows = {
  /** Appends to a history table. */
  add(table: Table, row: Row): void;
  /** Appends unless the key is there already. */
  first(table: FirstTable, key: string, row: Row): void;
  /** Sets a current value; the last one of a batch wins. */
  set(table: CurrentTable, key: string, row: Row): void;
  /** Moves a holder of an asset (0 is STX) from one balance to another in a table of ranks; from none where it is new. */
  rank(table: Table, asset: number, principal: number, before: bigint | undefined, after: bigint): void;
};

/** Running figures of the whole chain; they are stored in the newest block row. */
export type ChainTotals = {
  transactions: number;
  byType: number[];
  supply: bigint;
  microblocks: number;
  stateHash: Uint8Array;
};

/**
 * A fold of the canonical chain: says what a block adds to the tables it owns. It declares the running totals it needs and
 * how history becomes current values; look-ups, rollback and bulk load follow from that, so it has no undo code.
 */
export type Projection = Declared & {
  /** History tables, each with a `height` column: that is all a rollback needs. */
  tables: readonly Table[];
  /** Tables of current values, derived from the history. */
  currents?: readonly CurrentValues[];
  apply(block: ResolvedBlock, totals: RunningTotals, chain: ChainTotals, rows: Rows): void;
};
