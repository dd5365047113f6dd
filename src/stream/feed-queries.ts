import { stepCheck } from '../cache/tip-queries.ts';
import { eventCodes } from '../chain/event.ts';
import { journalKinds } from '../chain/journal.ts';
import { knownRegistries } from '../chain/sbtc/registry.ts';
import { arrayLiteral, constant, type Sql } from '../db/client.ts';
import { type BlockRow, blockColumns } from '../read/blocks/blocks-queries.ts';
import { type EventRow, eventColumns, eventJoins, publicEvents } from '../read/events/events-queries.ts';
import { type Position as Place, placesOf } from '../read/transactions/positions-queries.ts';

/** How far the server is, and whether a block is on its chain. */
export type Standing = {
  seq: number;
  /** Part of the time of the last step. */
  check: number;
  height: number;
  index_hash: Buffer;
  /** The canonical block at the height in question; null without one. */
  index_hash_there: Buffer | null;
};

export async function findStanding(sql: Sql, height: number): Promise<Standing> {
  const [row] = await sql<Standing[]>`
    select f.journal_seq::float8 as seq, f.height, f.index_hash,
      coalesce((select ${stepCheck(sql)} from journal j where j.seq = f.journal_seq), 0) as check,
      (select b.index_hash from blocks b where b.height = ${height} and b.height <= f.height) as index_hash_there
    from fold_position f
  `;
  if (!row) throw new Error('the row of fold_position is missing: the database was not set up by Cairn');
  return row;
}

/** The check of a step; undefined if the journal has no such step. */
export async function findCheck(sql: Sql, seq: number): Promise<number | undefined> {
  const [row] = await sql<{ check: number }[]>`
    select ${stepCheck(sql)} as check from journal j where j.seq = ${String(seq)}::bigint
  `;
  return row?.check;
}

/** The lowest height to which the chain went back after a step; undefined if it only grew. */
export async function findLowestRollback(sql: Sql, after: number): Promise<number | undefined> {
  const [row] = await sql<{ height: number | null }[]>`
    select min(j.height) as height from journal j where j.kind = ${constant(sql, journalKinds.rollback)} and j.seq > ${String(after)}::bigint
  `;
  return row?.height ?? undefined;
}

/** Index hashes of canonical blocks above a height and up to another one, the highest first. */
export async function listHashesBetween(sql: Sql, above: number, upTo: number): Promise<Buffer[]> {
  const rows = await sql<{ index_hash: Buffer }[]>`
    select b.index_hash
    from blocks b
    where b.height > ${above} and b.height <= ${upTo}
    order by b.height desc
    limit ${MAX_REMOVED}
  `;
  return rows.map(row => row.index_hash);
}

export type BlockReference = { height: number; index_hash: Buffer };

/** Blocks that a fork may have removed below a reader; a reader further off begins again. */
const MAX_REMOVED = 10_000;

/**
 * The blocks from a non-canonical block down to its first canonical ancestor, which is the last one; the chain of blocks ends
 * without a canonical one if the block is unknown or the fork is too long.
 */
export async function listRemoved(
  sql: Sql,
  indexHash: Uint8Array,
): Promise<(BlockReference & { canonical: boolean })[]> {
  return await sql<(BlockReference & { canonical: boolean })[]>`
    with recursive back (index_hash, parent, height, canonical, depth) as (
      select t.index_hash, t.parent, t.height,
        exists (select from blocks b where b.height = t.height and b.index_hash = t.index_hash), 0
      from block_tree t
      where t.index_hash = ${indexHash}
      union all
      select t.index_hash, t.parent, t.height,
        exists (select from blocks b where b.height = t.height and b.index_hash = t.index_hash), k.depth + 1
      from back k
      join block_tree t on t.index_hash = k.parent
      where not k.canonical and k.depth < ${constant(sql, MAX_REMOVED)}
    )
    select k.height, k.index_hash, k.canonical from back k order by k.depth
  `;
}

/** Canonical blocks above a height, lowest first. */
export async function listBlocksAbove(sql: Sql, height: number, upTo: number, limit: number): Promise<BlockRow[]> {
  return await sql<BlockRow[]>`
    select ${blockColumns(sql)}
    from blocks b
    where b.height > ${height} and b.height <= ${upTo}
    order by b.height
    limit ${limit}
  `;
}

/** Canonical blocks at some heights, lowest first. */
export async function listBlocksOf(sql: Sql, heights: readonly number[]): Promise<BlockRow[]> {
  return await sql<BlockRow[]>`
    select ${blockColumns(sql)}
    from blocks b
    where b.height = any (${heights}::int[])
    order by b.height
  `;
}

/** A transaction of a block, and the number of its events. */
export type ListedPlace = Place & { event_count: number };

/** The transactions of some blocks from a place on, in order. */
export async function listPlaces(
  sql: Sql,
  from: Place,
  heights: readonly number[],
  limit: number,
): Promise<ListedPlace[]> {
  return await sql<ListedPlace[]>`
    select t.height, t.place, t.event_count
    from transactions t
    where t.height = any (${heights}::int[]) and (t.height, t.place) >= (${from.height}::int, ${from.place}::smallint)
    order by t.height, t.place
    limit ${limit}
  `;
}

/** The events of some transactions with their index in a range, in order. */
export async function listEventsOf(
  sql: Sql,
  places: readonly Place[],
  range: { from: number; limit: number },
): Promise<EventRow[]> {
  return await sql<EventRow[]>`
    select ${eventColumns(sql)}
    from ${placesOf(sql, places)} as w (height, place)
    join events e on e.height = w.height and e.place = w.place
    ${eventJoins(sql)}
    where ${publicEvents(sql)} and e.event_index >= ${range.from}::int
      and e.event_index < ${range.from}::int8 + ${range.limit}::int8
    order by e.height, e.place, e.event_index
  `;
}

/** Which of some principals took part in transactions of some blocks. */
export async function listParties(
  sql: Sql,
  names: readonly Uint8Array[],
  heights: readonly number[],
): Promise<(Place & { name: Buffer })[]> {
  return await sql<(Place & { name: Buffer })[]>`
    select h.height, h.place, p.name
    from principals p
    join principal_transactions h on h.principal = p.id and h.height = any (${heights}::int[])
    where p.name = any (${arrayLiteral(names)}::bytea[])
  `;
}

/** A step that changed the mempool: 32 bytes for each transaction. */
export type MempoolStep = { seq: number; check: number; tx_ids: Buffer };

export async function listMempoolSteps(sql: Sql, after: number, upTo: number, limit: number): Promise<MempoolStep[]> {
  return await sql<MempoolStep[]>`
    select n.seq::float8 as seq, ${stepCheck(sql)} as check, n.tx_ids
    from mempool_news n
    join journal j on j.seq = n.seq
    where n.seq > ${String(after)}::bigint and n.seq <= ${String(upTo)}::bigint
    order by n.seq
    limit ${limit}
  `;
}

/** Whether a step of the mempool after a number is no longer stored. */
export async function areStepsGone(sql: Sql, after: number): Promise<boolean> {
  const [row] = await sql<{ gone: boolean }[]>`
    select exists (
      select
      from (
        select j.seq
        from journal j
        where j.seq > ${String(after)}::bigint and j.kind = ${constant(sql, journalKinds.mempool)}
        order by j.seq
        limit 1
      ) j
      where not exists (select from mempool_news n where n.seq = j.seq)
    ) as gone
  `;
  return row!.gone;
}

/** What leads to the few blocks that a filter can match, by an index. */
export type Scope =
  | { principal: Uint8Array }
  | { asset: { contract: Uint8Array; name: string } }
  | { contract: Uint8Array }
  | { function: string }
  | { sbtc: true };

/** The next heights at which a filter may match. */
export async function listHeights(
  sql: Sql,
  scope: Scope,
  { above, upTo, limit }: { above: number; upTo: number; limit: number },
): Promise<number[]> {
  const between = (column: ReturnType<typeof sql>) =>
    sql`${column} > ${above}::int and ${column} <= ${upTo}::int order by ${column} limit ${limit}`;
  const principal = (name: Uint8Array) => sql`(select p.id from principals p where p.name = ${name})`;
  const ofAsset = (asset: ReturnType<typeof sql>) => sql`
    (select e.height from events e where e.asset = ${asset} and e.kind in (${constant(sql, eventCodes.ft_transfer, eventCodes.ft_mint, eventCodes.ft_burn)}) and ${between(sql`e.height`)})
    union
    (select e.height from events e where e.asset = ${asset} and e.kind in (${constant(sql, eventCodes.nft_transfer, eventCodes.nft_mint, eventCodes.nft_burn)}) and ${between(sql`e.height`)})
  `;
  const heights =
    'principal' in scope
      ? sql`select h.height from principal_transactions h where h.principal = ${principal(scope.principal)} and ${between(sql`h.height`)}`
      : 'asset' in scope
        ? ofAsset(sql`(
            select a.id from assets a where a.contract = ${principal(scope.asset.contract)} and a.name = ${scope.asset.name}
          )`)
        : 'function' in scope
          ? sql`
              select t.height
              from transactions t
              where t.function = (select f.id from functions f where f.name = ${scope.function}) and t.function <> 0
                and ${between(sql`t.height`)}
            `
          : 'sbtc' in scope
            ? sql`
                select t.height
                from unnest(${arrayLiteral(knownRegistries)}::int2[]) as r (registry)
                cross join lateral (
                  select t.height from sbtc_totals t where t.registry = r.registry and ${between(sql`t.height`)}
                ) t
              `
            : sql`
              (select t.height from transactions t where t.target = ${principal(scope.contract)} and t.target <> 0 and ${between(sql`t.height`)})
              union
              (
                select e.height
                from events e
                where e.asset = ${principal(scope.contract)} and e.kind = ${constant(sql, eventCodes.print)} and ${between(sql`e.height`)}
              )
              union
              select x.height
              from assets a
              cross join lateral (${ofAsset(sql`a.id`)}) x
              where a.contract = ${principal(scope.contract)}
            `;
  const rows = await sql<{ height: number }[]>`
    select s.height from (${heights}) s group by s.height order by s.height limit ${limit}
  `;
  return rows.map(row => row.height);
}
