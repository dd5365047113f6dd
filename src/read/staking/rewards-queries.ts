import { positionCauses } from '../../chain/pox/staking-print.ts';
import { constant, type Sql } from '../../db/client.ts';
import { shareOf } from './principals-queries.ts';

/** Sats that the holders of a bond earned and claimed together. */
export type BondRewardsRow = { bond: number; accrued: string; claimed: string };

/** The rewards of some bonds by their index. */
export async function listBondRewards(sql: Sql, bonds: readonly number[]): Promise<Map<number, BondRewardsRow>> {
  const rows = await sql<BondRewardsRow[]>`
    select k.bond, coalesce(a.accrued, 0) as accrued, coalesce(c.claimed, 0) as claimed
    from unnest(${bonds as number[]}::int[]) as k (bond)
    left join lateral (
      select sum(${shareOf(sql, sql`s.sats`)}) as accrued
      from staking_distributions d
      cross join lateral (
        select distinct on (s.staker) s.sats
        from (select distinct r.staker from staking_positions r where r.bond = k.bond and r.cause = ${constant(sql, positionCauses['register-for-bond'])}) r
        join staking_positions s on s.staker = r.staker and s.bond = k.bond and s.sats is not null
        where (s.height, s.place, s.event_index) < (d.height, d.place, d.event_index)
        order by s.staker, s.height desc, s.place desc, s.event_index desc
      ) s
      where d.bond = k.bond and d.shares > 0
    ) a on true
    left join lateral (
      select sum(c.sats) as claimed from staking_claims c where c.bond >= 0 and c.bond = k.bond
    ) c on true
  `;
  return new Map(rows.map(row => [row.bond, row]));
}
