import { arrayLiteral, type Sql } from '../../db/client.ts';

/** A transaction of a block that falls, and how it had arrived; one that never did counts as received with its block. */
export type OrphanRow = {
  tx_id: Buffer;
  raw: Buffer;
  event_id: bigint;
  received_at: number;
  received_height: number;
  received_tenure: number;
  holders: number;
};

/** Transactions above a height, in the order of the chain; burn operations have no bytes to send again. */
export async function findOrphans(sql: Sql, height: number): Promise<OrphanRow[]> {
  return await sql<OrphanRow[]>`
    select t.tx_id, t.raw, coalesce(r.event_id, 0) as event_id,
      coalesce(r.received_at, floor(extract(epoch from e.at))::int, b.burn_time) as received_at,
      coalesce(r.received_height, b.height) as received_height,
      coalesce(r.received_tenure, nullif(b.tenure, -1), b.height) as received_tenure,
      coalesce(r.holders, 1) as holders
    from blocks b
    -- Block by block: a plan for any height would expect a third of the chain.
    cross join lateral (
      select t.height, t.place, t.tx_id, t.raw
      from transactions t
      where t.height = b.height and length(t.raw) > 1
      offset 0
    ) t
    left join lateral (
      select e.at
      from block_tree n
      join event_log e on e.id = n.event_id
      where n.index_hash = b.index_hash
      limit 1
    ) e on true
    left join lateral (
      select r.event_id, r.received_at, r.received_height, r.received_tenure, r.holders
      from mempool_receipts r
      where r.height = t.height and r.place = t.place
      limit 1
    ) r on true
    where b.height > ${height}
    order by t.height, t.place
  `;
}

/** Those of the ids that a canonical block contains. Unconfirmed microblocks are above the tip. */
export async function findMined(sql: Sql, txIds: Uint8Array[]): Promise<Set<string>> {
  if (txIds.length === 0) return new Set();
  const rows = await sql<{ tx_id: Buffer }[]>`
    select t.tx_id
    from unnest(${arrayLiteral(txIds)}::bytea[]) as u (tx_id)
    join transactions t
      on substring(t.tx_id from 1 for 7) = substring(u.tx_id from 1 for 7)
      and t.tx_id = u.tx_id
    where exists (select 1 from blocks b where b.height = t.height)
  `;
  return new Set(rows.map(row => row.tx_id.toString('hex')));
}

/** The tenure of a canonical block: the block height where the node sent no tenure height, -1 where there is no block. */
export async function findTenure(sql: Sql, height: number): Promise<number> {
  const [block] = await sql<{ tenure: number }[]>`select b.tenure from blocks b where b.height = ${height}`;
  if (!block) return -1;
  return block.tenure < 0 ? height : block.tenure;
}
