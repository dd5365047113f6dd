import { positionCauses } from '../../chain/pox/staking-print.ts';
import type { Sql } from '../../db/client.ts';
import { bondPositions } from './bonds-queries.ts';
import type { Fragment } from './position-queries.ts';

/** What an account has staked in STX alone. */
export type StxStakeRow = { stx: string; unlock_height: number; accrued: string; claimed: string };

/** What an account has in a bond. */
export type BondPositionRow = {
  bond: number;
  start_height: number | null;
  unlock_height: number;
  tx_id: Buffer;
  registered_sats: string;
  sats: string;
  stx: string;
  accrued: string;
  claimed: string;
};

const before = (sql: Sql) => sql`(s.height, s.place, s.event_index) < (d.height, d.place, d.event_index)`;
const newest = (sql: Sql) => sql`order by s.height desc, s.place desc, s.event_index desc limit 1`;

/**
 * What an amount earns of a distribution `d`: the contract stores a rate in units of 10^-18, and rounds the rate and the share
 * down.
 */
export const shareOf = (sql: Sql, own: Fragment) =>
  sql`div(${own} * div(d.rewards * 1000000000000000000::numeric, d.shares), 1000000000000000000::numeric)`;

/** Undefined for a name that the chain never saw; zeros where nothing is staked. */
export async function findStxStake(sql: Sql, staker: Uint8Array): Promise<StxStakeRow | undefined> {
  const [row] = await sql<StxStakeRow[]>`
    select
      case when l.cause <> ${positionCauses['register-for-bond']} then coalesce(l.stx, 0) else 0 end as stx,
      coalesce(l.unlock_height, 0) as unlock_height,
      coalesce(a.accrued, 0) as accrued,
      coalesce(c.claimed, 0) as claimed
    from principals p
    -- A stake that was rolled over into a bond is none any more.
    left join lateral (
      select s.cause, s.stx, s.unlock_height
      from staking_positions s
      where s.staker = p.id and s.cause <= ${positionCauses['register-for-bond']}
      ${newest(sql)}
    ) l on true
    left join lateral (
      select sum(${shareOf(sql, sql`s.stx`)}) as accrued
      from staking_distributions d
      cross join lateral (
        select s.stx, s.unlock_cycle
        from staking_positions s
        where s.staker = p.id and s.bond = -1 and s.first_cycle <= d.cycle and ${before(sql)}
        ${newest(sql)}
      ) s
      where d.bond = -1 and d.shares > 0 and s.unlock_cycle > d.cycle and s.stx is not null
    ) a on l.cause is not null
    left join lateral (
      select sum(c.sats) as claimed from staking_claims c where c.staker = p.id and c.bond = -1
    ) c on true
    where p.name = ${staker}
  `;
  return row;
}

/** All bonds an account is or was in, the lowest index first. */
export async function listBondPositions(sql: Sql, staker: Uint8Array) {
  return await sql<BondPositionRow[]>`
    select r.bond, b.start_height, r.unlock_height, t.tx_id, coalesce(r.registered_sats, 0) as registered_sats, r.sats,
      r.stx, coalesce(a.accrued, 0) as accrued, coalesce(c.claimed, 0) as claimed
    from (${bondPositions(sql, sql`r.staker = (select p.id from principals p where p.name = ${staker})`)}) r
    join transactions t on t.height = r.height and t.place = r.place
    left join lateral (
      select b.start_height
      from staking_bonds b
      where b.bond = r.bond
      order by b.height desc, b.place desc, b.event_index desc
      limit 1
    ) b on true
    left join lateral (
      select sum(${shareOf(sql, sql`s.sats`)}) as accrued
      from staking_distributions d
      cross join lateral (
        select s.sats
        from staking_positions s
        where s.staker = r.staker and s.bond = r.bond and s.sats is not null and ${before(sql)}
        ${newest(sql)}
      ) s
      where d.bond = r.bond and d.shares > 0
    ) a on true
    left join lateral (
      select sum(c.sats) as claimed from staking_claims c where c.staker = r.staker and c.bond = r.bond
    ) c on true
    order by r.bond
  `;
}
