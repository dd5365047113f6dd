import { availableParallelism } from 'node:os';
import type { Pool, Sql, Tx } from '../../db/client.ts';
import { stoppable } from '../../db/pool/stoppable.ts';
import { summarizeNewRanges } from '../../db/range-summaries.ts';
import type { FoldLog } from '../fold/fold-log.ts';
import { projections } from '../projections/all.ts';

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
const neededTables = ['mempool', 'block_tree', 'burn_tree', 'microblock_streams', 'event_log', 'signer_'];

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
      insert into deferred_indexes (name, table_name, definition)
      select c.relname, t.relname, pg_get_indexdef(c.oid)
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

/**
 * Ends a bulk load: builds the deferred indexes and the current values, on as many connections as there are processors. Does
 * nothing without a load. False when the signal aborted it: the next call continues. Needs a pool of at least two.
 */
export async function finishBulkLoad(sql: Pool, log: FoldLog, signal?: AbortSignal): Promise<boolean> {
  const [position] = await sql<{ bulk: boolean }[]>`select p.bulk from fold_position p`;
  if (!position!.bulk) return true;
  try {
    await sql.begin(tx => completeAll(sql, tx, log, signal));
    return true;
  } catch (error) {
    if (signal?.aborted) return false;
    throw error;
  }
}

async function completeAll(sql: Pool, tx: Tx, log: FoldLog, signal: AbortSignal | undefined): Promise<void> {
  // Two processes that end the same load do so one after the other.
  const [held] = await stoppable(tx<{ bulk: boolean }[]>`select p.bulk from fold_position p for update`, signal);
  if (!held!.bulk) return;
  log.info({}, 'a bulk load ends: building current values and indexes');
  const currents = currentTables();
  const tables = await listTables(sql);
  const derived = async () => {
    await sql.begin(async tx => await deriveCurrents(tx, signal));
    for (const table of tables) if (currents.has(table.name)) await complete(sql, table, log, signal);
  };
  const others = tables.filter(table => !currents.has(table.name));
  await inParallel(sql, [derived, ...others.map(table => () => complete(sql, table, log, signal))]);
  await tx`update fold_position set bulk = false`;
}

type Index = { name: string; definition: string };
type LoadedTable = { name: string; indexes: Index[] };

/** Tables with the indexes that wait for the end, the largest first. Of the log only single rows are read. */
async function listTables(sql: Sql): Promise<LoadedTable[]> {
  return await sql<LoadedTable[]>`
    select c.relname as name,
      coalesce(json_agg(json_build_object('name', d.name, 'definition', d.definition)) filter (where d.name is not null), '[]')
        as indexes
    from pg_class c
    left join deferred_indexes d on d.table_name = c.relname
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'event_log'
    group by c.oid, c.relname
    order by pg_relation_size(c.oid) desc, c.relname
  `;
}

/**
 * Builds the indexes of a table, the summaries of its pages and its statistics: the planner has none for a table that was just
 * filled.
 */
async function complete(
  sql: Pool,
  { name, indexes }: LoadedTable,
  log: FoldLog,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const index of indexes) {
    log.info({ index: index.name }, 'building an index');
    await sql.begin(async tx => {
      await tx`set local maintenance_work_mem = '128MB'`;
      await stoppable(tx.unsafe(index.definition), signal);
      await tx`delete from deferred_indexes where name = ${index.name}`;
    });
  }
  await summarizeNewRanges(sql, name, signal);
  await stoppable(sql`analyze ${sql(name)}`, signal);
}

/** Runs tasks in their order, some at once; one connection of the pool is left to the caller. */
async function inParallel(sql: Pool, tasks: (() => Promise<void>)[]): Promise<void> {
  const workers = Math.max(1, Math.min(availableParallelism(), sql.options.max - 1, 4));
  const left = tasks[Symbol.iterator]();
  const worker = async () => {
    for (const task of left) await task();
  };
  const results = await Promise.allSettled(Array.from({ length: workers }, worker));
  const failed = results.find(result => result.status === 'rejected');
  if (failed) throw failed.reason;
}

const currentValues = () => projections.flatMap(projection => projection.currents ?? []);
const currentTables = () => new Set(currentValues().map(({ table }) => table.name));

/** Empties the tables of current values and fills them from the history. */
export async function deriveCurrents(sql: Sql, signal?: AbortSignal): Promise<void> {
  for (const table of currentTables()) await stoppable(sql`truncate ${sql(table)}`, signal);
  for (const text of currentValues().flatMap(({ derive }) => derive)) await stoppable(sql.unsafe(text), signal);
}
