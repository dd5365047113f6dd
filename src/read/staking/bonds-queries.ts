import { positionCauses } from '../../chain/pox/staking-print.ts';
import { constant, type Sql } from '../../db/client.ts';
import { type Fragment, type PlaceRow, placeColumns, placeJoins } from './position-queries.ts';

/** A bond with what its holders have in it. */
export type BondRow = PlaceRow & {
  bond: number;
  first_cycle: number;
  unlock_cycle: number;
  start_height: number;
  unlock_height: number;
  target_rate: bigint;
  stx_value_ratio: bigint;
  minimum_stx_ratio: bigint;
  /** Sats that all who may enrol could lock together. */
  capacity: string;
  allowed: number;
  registered: number;
  sats: string;
  stx: string;
  paid_out: string;
};

export type AllowanceRow = PlaceRow & { staker: Buffer; max_sats: string };

export type RegistrationRow = PlaceRow & {
  staker: Buffer;
  signer: Buffer | null;
  l1: boolean;
  sats: string;
  stx: string;
  /** The print of the registration. */
  value: Buffer;
};

/**
 * The stakers of bonds with their current amounts: `which` is a condition on the registration `r`. The bond and its end come
 * from the registration; the amounts and the signer come from the last step of the staker in the bond.
 */
export const bondPositions = (sql: Sql, which: Fragment) => sql`
  select distinct on (r.bond, r.staker) r.bond, r.staker, r.height, r.place, r.event_index, r.first_cycle,
    r.unlock_height, r.l1, r.sats as registered_sats, coalesce(r.stx, 0) as registered_stx, l.signer, coalesce(l.sats, r.sats, 0) as sats,
    coalesce(l.stx, r.stx, 0) as stx
  from staking_positions r
  cross join lateral (
    select l.signer, l.sats, l.stx
    from staking_positions l
    where l.staker = r.staker and l.bond = r.bond
    order by l.height desc, l.place desc, l.event_index desc
    limit 1
  ) l
  where r.cause = ${constant(sql, positionCauses['register-for-bond'])} and ${which}
  order by r.bond, r.staker, r.height desc, r.place desc, r.event_index desc
`;

/** The latest allowance of each principal that may enrol. */
const allowances = (sql: Sql, which: Fragment) => sql`
  select distinct on (a.bond, a.staker) a.bond, a.staker, a.height, a.place, a.event_index, a.max_sats
  from staking_allowances a
  where ${which}
  order by a.bond, a.staker, a.height desc, a.place desc, a.event_index desc
`;

/** All bonds, or one; the highest index first. */
export async function listBonds(sql: Sql, bond?: number) {
  const only = (table: string) => (bond === undefined ? sql`true` : sql`${sql(table)}.bond = ${bond}`);
  return await sql<BondRow[]>`
    select b.bond, b.first_cycle, b.unlock_cycle, b.start_height, b.unlock_height, b.target_rate, b.stx_value_ratio,
      b.minimum_stx_ratio, coalesce(a.capacity, 0) as capacity, coalesce(a.allowed, 0) as allowed,
      coalesce(r.registered, 0) as registered, coalesce(r.sats, 0) as sats, coalesce(r.stx, 0) as stx,
      coalesce(c.paid_out, 0) as paid_out, ${placeColumns(sql)}
    from (
      select distinct on (b.bond) b.bond, b.height, b.place, b.event_index, b.first_cycle, b.unlock_cycle, b.start_height,
        b.unlock_height, b.target_rate, b.stx_value_ratio, b.minimum_stx_ratio
      from staking_bonds b
      where ${only('b')}
      order by b.bond, b.height desc, b.place desc, b.event_index desc
    ) b
    ${placeJoins(sql, sql`b`)}
    left join (
      select a.bond, sum(a.max_sats) as capacity, count(*)::int as allowed
      from (${allowances(sql, only('a'))}) a
      group by a.bond
    ) a on a.bond = b.bond
    left join (
      select r.bond, sum(r.sats) as sats, sum(r.stx) as stx, count(*)::int as registered
      from (${bondPositions(sql, only('r'))}) r
      group by r.bond
    ) r on r.bond = b.bond
    left join (
      select d.bond, sum(d.rewards) as paid_out
      from staking_distributions d
      where d.bond >= 0 and ${only('d')}
      group by d.bond
    ) c on c.bond = b.bond
    order by b.bond desc
  `;
}

/** The principals that may enrol in a bond, newest first; or one of them. */
export async function listAllowances(sql: Sql, bond: number, staker?: Uint8Array) {
  return await sql<AllowanceRow[]>`
    select s.name as staker, a.max_sats, ${placeColumns(sql)}
    from (${allowances(sql, sql`a.bond = ${bond}`)}) a
    join principals s on s.id = a.staker
    ${placeJoins(sql, sql`a`)}
    where ${staker ? sql`s.name = ${staker}` : sql`true`}
    order by a.height desc, a.place desc, a.event_index desc
  `;
}

/** The stakers of a bond, newest first, or one of them, with the amounts of the registration. */
export async function listRegistrations(sql: Sql, bond: number, staker?: Uint8Array) {
  return await sql<RegistrationRow[]>`
    select s.name as staker, g.name as signer, r.l1, coalesce(u.sats, r.registered_sats, 0) as sats,
      coalesce(u.stx, 0) as stx, v.value, ${placeColumns(sql)}
    from (${bondPositions(sql, sql`r.bond = ${bond}`)}) r
    join principals s on s.id = r.staker
    -- The registered amounts: an exit or a withdrawal does not change them, an update replaces them.
    cross join lateral (
      select u.signer, u.sats, u.stx
      from staking_positions u
      where u.staker = r.staker and u.bond = r.bond
        and u.cause in (${constant(sql, positionCauses['register-for-bond'])},
          ${constant(sql, positionCauses['update-bond-registration'])})
      order by u.height desc, u.place desc, u.event_index desc
      limit 1
    ) u
    left join principals g on g.id = u.signer
    join events v on v.height = r.height and v.place = r.place and v.event_index = r.event_index
    ${placeJoins(sql, sql`r`)}
    where ${staker ? sql`s.name = ${staker}` : sql`true`}
    order by r.height desc, r.place desc, r.event_index desc
  `;
}
