import type { Sql } from '../../db/client.ts';

/** A staker of a signer, by key and name. */
export type StakerName = { id: number; staker: Buffer };

/** Who stakes with a signer in a cycle; without a cycle, who stakes with it in any. */
export async function listStakersOfSigner(sql: Sql, signer: Uint8Array, cycle?: number): Promise<StakerName[]> {
  // A later term replaces all from its first cycle on.
  const within = cycle === undefined ? sql`t.first_cycle` : sql`${cycle}::int`;
  return await sql<StakerName[]>`
    select p.id, p.name as staker
    from (
      select distinct t.staker
      from staking_terms t
      where t.signer = (select s.id from principals s where s.name = ${signer})
        and t.first_cycle <= ${within} and t.end_cycle > ${within}
        and not exists (
          select
          from staking_terms n
          where n.staker = t.staker and (n.height, n.place, n.event_index) > (t.height, t.place, t.event_index)
            and n.first_cycle <= ${within}
        )
    ) t
    join principals p on p.id = t.staker
  `;
}

/** Where a lock began. */
export type LockRow = {
  height: number;
  place: number;
  event_index: number;
  tx_id: Buffer;
  tx_index: number;
  block_hash: Buffer;
  index_hash: Buffer;
  block_time: number;
  burn_height: number;
  burn_time: number;
};

/** The blocks and transactions in which locks began. */
export async function listLocks(
  sql: Sql,
  at: readonly { height: number; place: number; index: number }[],
): Promise<LockRow[]> {
  const heights = at.map(each => each.height);
  const places = at.map(each => each.place);
  const indexes = at.map(each => each.index);
  return await sql<LockRow[]>`
    select k.height, k.place, k.event_index, t.tx_id, t.tx_index, b.hash as block_hash, b.index_hash, b.time as block_time, b.burn_height,
      b.burn_time
    from unnest(${heights}::int[], ${places}::int[], ${indexes}::int[]) as k (height, place, event_index)
    join transactions t on t.height = k.height and t.place = k.place
    join blocks b on b.height = k.height
  `;
}
