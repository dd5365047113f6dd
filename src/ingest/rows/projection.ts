import type { Row, Table } from '../../db/table.ts';
import type { PlacedBlock } from './resolved-block.ts';
import type { Ledger } from './running-totals.ts';

/** Where a projection puts its rows. */
export type Rows = {
  /** Appends to a history table. */
  add(table: Table, row: Row): void;
  /** Appends unless the key is there already. */
  first(table: FirstTable, key: string, row: Row): void;
  /** Sets a current value; the last one of a batch wins. */
  set(table: CurrentTable, key: string, row: Row): void;
  /** Moves a holder of an asset (0 is STX) from one balance to another; from none where it is new. */
  rank(asset: number, principal: number, before: bigint | undefined, after: bigint): void;
};

/** Running figures of the chain as a whole; they live in the newest block row. */
export type ChainTotals = {
  transactions: number;
  byType: number[];
  supply: bigint;
  microblocks: number;
  stateHash: Uint8Array;
};

/** A history table that keeps the first row of a key. */
export type FirstTable = Table & { key: readonly string[] };

/** A table of current values: re-derivable from a history table, restored by the rollback for the touched keys. */
export type CurrentTable = Table & { key: readonly string[] };

/** A fold of the canonical chain: says what a block adds to the tables it owns, and has no undo code. */
export type Projection = {
  /** History tables, each with a `height` column: that is all a rollback needs. */
  tables: readonly Table[];
  /** Tables of current values. */
  currents?: readonly Table[];
  /**
   * Statements that take current values from the tip ($2) back to their state at height $1; the history rows above it still
   * stand when they run.
   */
  restore?: readonly string[];
  /** Statements that fill the empty tables of current values from the history, after a bulk load. */
  derive?: readonly string[];
  apply(block: PlacedBlock, ledger: Ledger, totals: ChainTotals, rows: Rows): void;
};
