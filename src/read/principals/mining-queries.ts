import { totalOfPage } from '../../compat/page-total.ts';
import type { Sql } from '../../db/client.ts';
import { type CountedPage, keyedPage } from '../pages/keyed-page-queries.ts';

/** What a miner was paid in all. */
export type MiningTotalsRow = { rewards: number; coinbase: string; fees: string };

type RewardBlock = { height: number; hash: Buffer; index_hash: Buffer; time: number; burn_time: number };

/** A reward that has matured. */
export type MiningRewardRow = {
  height: number;
  position: number;
  recipient: Buffer;
  miner: Buffer | null;
  coinbase: string;
  fees: string;
  hash: Buffer;
  index_hash: Buffer;
  time: number;
  burn_time: number;
  /** The block that earned it; null where it is not known. */
  source_height: number | null;
  source_hash: Buffer | null;
  source_index_hash: Buffer;
  source_time: number | null;
  source_burn_time: number | null;
};

export type { RewardBlock };

/** Where a page of rewards starts, the newest first. */
export type RewardCursor = { height: number; position: number };

const recipientId = (sql: Sql, recipient: Uint8Array) =>
  sql`(select p.id from principals p where p.name = ${recipient})`;

const newestTotals = (sql: Sql, recipient: Uint8Array) => sql`
  select t.rewards, t.coinbase, t.fees
  from miner_reward_totals t
  where t.recipient = ${recipientId(sql, recipient)} and t.height <= (select f.height from fold_position f)
  order by t.height desc
  limit 1
`;

/** Undefined for a principal without rewards. */
export async function findMiningTotals(sql: Sql, recipient: Uint8Array): Promise<MiningTotalsRow | undefined> {
  const [row] = await sql<MiningTotalsRow[]>`${newestTotals(sql, recipient)}`;
  return row;
}

/** Rewards of a miner above zero, the newest first. */
export async function listMiningRewards(
  sql: Sql,
  recipient: Uint8Array,
  { cursor, limit }: { cursor: RewardCursor | undefined; limit: number },
): Promise<CountedPage<MiningRewardRow>> {
  const start = cursor
    ? sql`(${cursor.height}::int, ${cursor.position}::int)`
    : sql`((select f.height from fold_position f), 32767)`;
  type Found = MiningRewardRow & { before: boolean };
  const rows = await sql<({ total: number } & (Found | { height: null }))[]>`
    with page as (
      (
        select r.height, r.position, false as before
        from (
          -- Blocks that paid something, by the index of their sums: one of them holds at least one reward.
          select t.height
          from miner_reward_totals t
          where t.recipient = ${recipientId(sql, recipient)}
            and t.height <= least((select f.height from fold_position f), ${cursor?.height ?? 2_147_483_647}::int)
          order by t.height desc
          limit ${limit + 2}
        ) h
        join miner_rewards r on r.height = h.height
        where ${isPaid(sql, recipient)} and (r.height, r.position::int) <= ${start}
        order by r.height desc, r.position desc
        limit ${limit + 1}
      )
      ${cursor ? rowBefore(sql, recipient, cursor, limit) : sql``}
    ), shown as (
      select r.height, r.position, p.before, k.name as recipient, m.name as miner, r.coinbase,
        r.fees_anchored + r.fees_confirmed + r.fees_produced as fees, b.hash, b.index_hash, b.time, b.burn_time,
        s.height as source_height, s.hash as source_hash, r.from_index_hash as source_index_hash,
        s.time as source_time, s.burn_time as source_burn_time
      from page p
      join miner_rewards r on r.height = p.height and r.position = p.position
      join blocks b on b.height = r.height
      join principals k on k.id = r.recipient
      left join principals m on m.id = r.miner
      left join blocks s on s.index_hash = r.from_index_hash
    )
    select n.total, s.*
    from (select coalesce((select t.rewards from (${newestTotals(sql, recipient)}) t), 0) as total) n
    left join shown s on true
    order by s.height desc, s.position desc
  `;
  const found = rows.filter((row): row is { total: number } & Found => row.height !== null);
  return { ...keyedPage(found, limit), total: totalOfPage(rows) };
}

const isPaid = (sql: Sql, recipient: Uint8Array) => sql`
  r.recipient = ${recipientId(sql, recipient)} and r.coinbase + r.fees_anchored + r.fees_confirmed + r.fees_produced > 0
`;

/** The row at which the page before the start begins. */
const rowBefore = (sql: Sql, recipient: Uint8Array, { height, position }: RewardCursor, limit: number) => sql`
  union all
  (
    select n.height, n.position, true
    from (
      select r.height, r.position
      from (
        select t.height
        from miner_reward_totals t
        where t.recipient = ${recipientId(sql, recipient)} and t.height >= ${height}::int
          and t.height <= (select f.height from fold_position f)
        order by t.height
        limit ${limit + 1}
      ) h
      join miner_rewards r on r.height = h.height
      where ${isPaid(sql, recipient)} and (r.height, r.position::int) > (${height}::int, ${position}::int)
      order by r.height, r.position
      limit ${limit}
    ) n
    order by n.height desc, n.position desc
    limit 1
  )
`;
