import { positionCauses } from '../../chain/pox/staking-print.ts';
import { constant, type Sql } from '../../db/client.ts';
import { bondPositions } from './bonds-queries.ts';

/** What is staked in STX alone, and by how many. */
export type StxStaked = { stx: string; stakers: number };

/** What is locked in some bonds: as it was registered, and what is left of the bitcoin, on the Bitcoin chain or as sBTC. */
export type BondsLocked = { stx: string; stakers: number; native: string; sbtc: string };

/** Bonds that earn in a cycle, the lowest index first. */
export async function listCycleBonds(sql: Sql, cycle: number): Promise<number[]> {
  const rows = await sql<{ bond: number }[]>`
    select b.bond
    from (
      select distinct on (b.bond) b.bond, b.first_cycle, b.unlock_cycle
      from staking_bonds b
      order by b.bond, b.height desc, b.place desc, b.event_index desc
    ) b
    where b.first_cycle <= ${cycle} and b.unlock_cycle > ${cycle}
    order by b.bond
  `;
  return rows.map(row => row.bond);
}

/** STX staked alone by prints before a burn height whose lock goes on beyond another one. */
export async function findStxStaked(
  sql: Sql,
  { before, beyond, rolledOver }: { before: number; beyond: number; rolledOver: boolean },
): Promise<StxStaked> {
  const last = rolledOver ? positionCauses['register-for-bond'] : positionCauses.unstake;
  const [row] = await sql<StxStaked[]>`
    select coalesce(sum(l.stx), 0) as stx, count(*)::int as stakers
    from (
      select distinct on (s.staker) s.cause, s.stx, s.unlock_height
      from staking_positions s
      where s.cause <= ${constant(sql, last)}
        and s.height <= coalesce((
          select b.height from blocks b where b.burn_height < ${before} order by b.burn_height desc, b.height desc limit 1
        ), -1)
      order by s.staker, s.height desc, s.place desc, s.event_index desc
    ) l
    where l.cause <> ${constant(sql, positionCauses['register-for-bond'])} and l.unlock_height > ${beyond} and l.stx > 0
  `;
  return row!;
}

/** What is locked in bonds: in these, or in all that are not unlocked at a burn height. */
export async function findBondsLocked(
  sql: Sql,
  which: { bonds: number[] } | { lockedAt: number },
): Promise<BondsLocked> {
  const chosen =
    'bonds' in which ? sql`r.bond = any (${which.bonds}::int[])` : sql`r.unlock_height > ${which.lockedAt}`;
  const [row] = await sql<BondsLocked[]>`
    select coalesce(sum(${'bonds' in which ? sql`r.registered_stx` : sql`r.stx`}), 0) as stx, count(*)::int as stakers,
      coalesce(sum(r.sats) filter (where r.l1), 0) as native, coalesce(sum(r.sats) filter (where not r.l1), 0) as sbtc
    from (${bondPositions(sql, chosen)}) r
  `;
  return row!;
}

/** A position in the chain. */
type Place = { height: number; place: number };

/**
 * What took part in the distributions of a calculation, by bond: the newest distribution of each in these transactions, and
 * how much of it was on the Bitcoin chain then.
 */
export async function findDistributed(
  sql: Sql,
  calculations: readonly Place[],
): Promise<{ total: string; native: string }> {
  const [row] = await sql<{ total: string; native: string }[]>`
    select coalesce(sum(d.shares), 0) as total, coalesce(sum(n.native), 0) as native
    from (
      select distinct on (d.bond) d.bond, d.height, d.place, d.event_index, d.shares
      from unnest(${calculations.map(c => c.height)}::int[], ${calculations.map(c => c.place)}::int[]) as c (height, place)
      join staking_distributions d on d.height = c.height and d.place = c.place and d.bond >= 0
      order by d.bond, d.height desc, d.place desc, d.event_index desc
    ) d
    cross join lateral (
      select sum(s.sats) as native
      from (
        select distinct on (s.staker) s.sats, r.l1
        from staking_positions r
        join staking_positions s on s.staker = r.staker and s.bond = r.bond and s.sats is not null
        where r.bond = d.bond and r.cause = ${constant(sql, positionCauses['register-for-bond'])}
          and (s.height, s.place, s.event_index) < (d.height, d.place, d.event_index)
        order by s.staker, s.height desc, s.place desc, s.event_index desc
      ) s
      where s.l1
    ) n
  `;
  return row!;
}

/** All that block commits paid to reward addresses and burned, in satoshis. */
export async function findBurnTotals(sql: Sql): Promise<{ reward_amount: string; burn_amount: string }> {
  const [row] = await sql<{ reward_amount: string; burn_amount: string }[]>`
    select t.reward_amount::text as reward_amount, t.burn_amount::text as burn_amount
    from burn_address_totals t
    where t.address = ''
  `;
  return row ?? { reward_amount: '0', burn_amount: '0' };
}
