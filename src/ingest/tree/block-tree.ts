import type { Sql } from '../../db/client.ts';
import type { Table } from '../../db/table.ts';

export const blockTreeTable: Table = {
  name: 'block_tree',
  columns: {
    index_hash: 'bytea',
    parent: 'bytea',
    event_id: 'int8',
    height: 'int4',
    block_hash: 'bytea',
    parked: 'bool',
    empty: 'bool',
    fetched: 'bool',
    burn_height: 'int4',
    burn_hash: 'bytea',
    ruled_out: 'bool',
    unknown: 'text',
    burn_view: 'bytea',
  },
};

/** A block that the fold has seen, on any branch. */
export type TreeBlock = {
  indexHash: Buffer;
  parent: Buffer;
  eventId: bigint;
  height: number;
  parked: boolean;
  empty: boolean;
  fetched: boolean;
  burnHash: Buffer;
  /** The consensus hash that its tenure change names as the burn view; empty without a tenure change. */
  burnView: Buffer;
};

type TreeRow = {
  index_hash: Buffer;
  parent: Buffer;
  event_id: bigint;
  height: number;
  parked: boolean;
  empty: boolean;
  fetched: boolean;
  burn_hash: Buffer;
  burn_view: Buffer;
};

const fromRow = (r: TreeRow): TreeBlock => ({
  indexHash: r.index_hash,
  parent: r.parent,
  eventId: r.event_id,
  height: r.height,
  parked: r.parked,
  empty: r.empty,
  fetched: r.fetched,
  burnHash: r.burn_hash,
  burnView: r.burn_view,
});

const columns = (sql: Sql) => sql`
  t.index_hash, t.parent, t.event_id, t.height, t.parked, t.empty, t.fetched, t.burn_hash, t.burn_view
`;

export async function findTreeBlocks(sql: Sql, hashes: Buffer[]): Promise<TreeBlock[]> {
  if (hashes.length === 0) return [];
  const rows = await sql<TreeRow[]>`
    select ${columns(sql)}
    from unnest(${hashes.map(h => h.toString('hex'))}::text[]) as u (hex)
    join block_tree t on t.index_hash = decode(u.hex, 'hex')
  `;
  return rows.map(fromRow);
}

/** Parked blocks that wait, directly or through others, for a block. Parents first. */
export async function waitingFor(sql: Sql, hash: Buffer, height: number): Promise<TreeBlock[]> {
  const rows = await sql<TreeRow[]>`
    with recursive waiting as (
      select ${columns(sql)}
      from block_tree t
      where t.parked and t.parent = ${hash} and t.height = ${height + 1}
      union
      select ${columns(sql)}
      from waiting w
      join block_tree t on t.parked and t.parent = w.index_hash and t.height = w.height + 1
    )
    select ${columns(sql)} from waiting t order by t.height, t.event_id
  `;
  return rows.map(fromRow);
}

/**
 * The way from the canonical chain to a block: the height where they part (0 for none, as block 0 has no rows) and the
 * blocks above it, lowest first.
 */
export async function pathTo(sql: Sql, hash: Buffer): Promise<{ forkHeight: number; branch: TreeBlock[] }> {
  const rows = await sql<(TreeRow & { canonical: boolean })[]>`
    with recursive path as (
      select ${columns(sql)}, ${canonical(sql)} as canonical
      from block_tree t
      where t.index_hash = ${hash}
      union all
      select ${columns(sql)}, ${canonical(sql)} as canonical
      from path p
      join block_tree t on t.index_hash = p.parent
      where not p.canonical and not t.parked and t.height > 0
    )
    select ${columns(sql)}, t.canonical from path t
  `;
  const branch = rows.filter(r => !r.canonical).map(fromRow);
  branch.reverse();
  return { forkHeight: rows.find(r => r.canonical)?.height ?? 0, branch };
}

const canonical = (sql: Sql) => sql`
  exists (select 1 from blocks b where b.height = t.height and b.index_hash = t.index_hash)
`;

/**
 * The greatest height of the tree, first seen first; undefined where nothing is higher than `height`. Blocks that are ruled out
 * count only `evenRuledOut`.
 */
export async function highestAbove(sql: Sql, height: number, evenRuledOut = false): Promise<TreeBlock | undefined> {
  const [row] = await sql<TreeRow[]>`
    select ${columns(sql)}
    from block_tree t
    where not t.parked and t.height > ${Math.max(height, 0)} ${evenRuledOut ? sql`` : sql`and not t.ruled_out`}
    order by t.height desc, t.event_id
    limit 1
  `;
  return row && fromRow(row);
}

/** Parents that parked blocks wait for. */
export async function missingParents(sql: Sql): Promise<Buffer[]> {
  const rows = await sql<{ parent: Buffer }[]>`select distinct t.parent from block_tree t where t.parked`;
  return rows.map(r => r.parent);
}

/** Which kinds of block 0 are known: an empty one, one with content, both or none. */
export async function genesisOf(sql: Sql): Promise<{ empty: boolean; full: boolean }> {
  const [row] = await sql<{ empty: boolean; full: boolean }[]>`
    select
      exists (select 1 from block_tree t where t.height = 0 and t.empty) as empty,
      exists (select 1 from block_tree t where not t.parked and t.height = 0 and not t.empty) as full
  `;
  return row!;
}
