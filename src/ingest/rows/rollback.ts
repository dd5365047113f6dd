import type { Flush } from '../../db/flush.ts';
import type { Projection } from './projection.ts';

/** Adds the statement that sets a new revision: readers learn that rows of blocks were rolled back. */
export const drawRevision = (flush: Flush): void => flush.query('update fold_position set revision = default');

/** History tables that own a `height`, and the current values derived from them. */
export type RollbackTables = Pick<Projection, 'tables' | 'currents'>;

/** Adds the statements that take every table of the Stacks chain from `tip` to `height`. */
export function rollbackTo(flush: Flush, projections: readonly Projection[], height: number, tip: number): void {
  // Orphaned transactions stay findable by id: the log has their bytes.
  flush.query(
    `insert into orphan_transactions (tx_id, index_hash)
     select t.tx_id, b.index_hash
     from blocks b
     -- Block by block: a plan for any height would expect a third of the chain.
     cross join lateral (select t.tx_id from transactions t where t.height = b.height offset 0) t
     where b.height > $1::int
     on conflict (tx_id, index_hash) do update set side = false`,
    [height],
  );
  deleteAbove(flush, projections, height, tip);
}

/** Adds the statements that take tables from `tip` to `height`: current values first, while the history rows still exist. */
export function deleteAbove(flush: Flush, owners: readonly RollbackTables[], height: number, tip: number): void {
  if (tip > height) {
    for (const { restore } of owners.flatMap(owner => owner.currents ?? [])) {
      for (const text of restore) flush.query(text, [height, tip]);
    }
  }
  const tables = new Set(owners.flatMap(owner => owner.tables.map(table => table.name)));
  for (const table of tables) flush.query(`delete from ${table} where height > $1::int`, [height]);
}
