import type { Sql } from '../../db/client.ts';

/** The blocks to apply again when the events of fetched blocks have arrived. */
export type FetchedFacts =
  /** None of the blocks is canonical. */
  | { kind: 'non_canonical' }
  /** The log no longer has the event of a block above the lowest of them. */
  | { kind: 'pruned'; lowest: number; pruned: number }
  /** The canonical blocks from the lowest of them on, and their events. */
  | { kind: 'canonical'; lowest: number; chain: readonly CanonicalBlock[] };

export type CanonicalBlock = { indexHash: Buffer; eventId: bigint };

export async function blocksAboveFetched(sql: Sql, hashes: readonly Buffer[]): Promise<FetchedFacts> {
  const hexes = hashes.map(hash => hash.toString('hex'));
  const [row] = await sql<{ height: number | null }[]>`
    select min(b.height) as height
    from unnest(${hexes}::text[]) as u (hex)
    join blocks b on b.index_hash = decode(u.hex, 'hex')
  `;
  const lowest = row?.height ?? null;
  if (lowest === null) return { kind: 'non_canonical' };
  const [pruned] = await sql<{ height: number }[]>`
    select b.height
    from blocks b
    join block_tree t on t.index_hash = b.index_hash
    where b.height >= ${lowest}
      and encode(b.index_hash, 'hex') <> all (${hexes}::text[])
      and not exists (select 1 from event_log e where e.id = t.event_id)
    limit 1
  `;
  if (pruned) return { kind: 'pruned', lowest, pruned: pruned.height };
  return { kind: 'canonical', lowest, chain: await canonicalAbove(sql, lowest - 1) };
}

/** The canonical blocks above a height, lowest first. */
export async function canonicalAbove(sql: Sql, height: number): Promise<CanonicalBlock[]> {
  const rows = await sql<{ index_hash: Buffer; event_id: bigint }[]>`
    select b.index_hash, t.event_id
    from blocks b
    join block_tree t on t.index_hash = b.index_hash
    where b.height > ${height}
    order by b.height
  `;
  return rows.map(row => ({ indexHash: row.index_hash, eventId: row.event_id }));
}

/** The event of a full block 0 that block 1 was applied without; undefined where there is none. */
export async function findMissedGenesis(sql: Sql): Promise<bigint | undefined> {
  const [missed] = await sql<{ event_id: bigint }[]>`
    select t.event_id
    from blocks b
    join block_tree t on t.index_hash = b.parent_index_hash
    where b.height = 1 and t.height = 0 and not t.empty
      and not exists (select 1 from transaction_extras e where e.height = 1 and e.name = 'genesis')
  `;
  return missed?.event_id;
}
