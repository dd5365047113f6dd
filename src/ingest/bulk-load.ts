import type { Pool, Sql } from '../db/client.ts';
import { projections } from './projections/all.ts';
import type { FoldLog } from './step.ts';

/** Indexes the writer itself reads while it loads, or that a rollback needs; all other plain ones can wait. */
const needed = [
  'principal_transactions_principal',
  'events_place',
  'block_tree_parked',
  'block_tree_height',
  'contracts_height',
  'stx_locks_height',
  'burn_block_heights_height',
  'microblock_streams_anchor',
  'transactions_tx_id',
];

/** Tables whose indexes are small or used by the fold for each event. */
const neededTables = ['mempool', 'block_tree', 'microblock_streams', 'event_log'];

/**
 * Begins a bulk load where nothing has been folded yet: drops the indexes that only readers need and leaves current values
 * for the end. Returns false when the tables are in use already.
 */
export async function beginBulkLoad(sql: Pool): Promise<boolean> {
  return await sql.begin(async tx => {
    const [position] = await tx<{ event_id: bigint; bulk: boolean }[]>`
      select p.event_id, p.bulk from fold_position p for update
    `;
    if (position!.bulk) return true;
    if (position!.event_id > 0n) return false;
    const dropped = await tx<{ name: string }[]>`
      insert into deferred_indexes (name, definition)
      select c.relname, pg_get_indexdef(c.oid)
      from pg_index i
      join pg_class c on c.oid = i.indexrelid
      join pg_class t on t.oid = i.indrelid
      join pg_am a on a.oid = c.relam
      where c.relnamespace = current_schema()::regnamespace
        and not exists (select 1 from pg_constraint k where k.conindid = c.oid)
        and a.amname <> 'brin'
        and c.relname <> all (${needed})
        and not (t.relname ~ ${`^(${neededTables.join('|')})`})
      returning name
    `;
    for (const { name } of dropped) await tx`drop index ${tx(name)}`;
    await tx`update fold_position set bulk = true`;
    return true;
  });
}

/** Ends a bulk load: builds what it left out. Can be interrupted and called again; does nothing where none runs. */
export async function finishBulkLoad(sql: Pool, log: FoldLog): Promise<void> {
  const [position] = await sql<{ bulk: boolean }[]>`select p.bulk from fold_position p`;
  if (!position!.bulk) return;
  const indexes = await sql<{ name: string; definition: string }[]>`
    select d.name, d.definition from deferred_indexes d order by d.name
  `;
  log.info({ indexes: indexes.length }, 'a bulk load ends: building current values and indexes');
  await sql.begin(async tx => {
    await tx`set local maintenance_work_mem = '256MB'`;
    await deriveCurrents(tx);
    for (const { name, definition } of indexes) {
      log.info({ index: name }, 'building an index');
      await tx.unsafe(definition);
    }
    await tx`delete from deferred_indexes`;
    await tx`update fold_position set bulk = false`;
  });
  // The planner knows nothing of tables that were filled in one go.
  await sql`analyze`;
}

/** Empties the tables of current values and fills them from the history. */
export async function deriveCurrents(sql: Sql): Promise<void> {
  const tables = new Set(projections.flatMap(p => (p.currents ?? []).map(t => t.name)));
  for (const table of tables) await sql`truncate ${sql(table)}`;
  for (const text of projections.flatMap(p => p.derive ?? [])) await sql.unsafe(text);
}
