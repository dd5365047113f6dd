import { positionCauses } from '../../chain/pox/staking-print.ts';
import type { Sql } from '../../db/client.ts';
import type { PoxCycleRow } from '../pox/cycles-queries.ts';
import { bondPositions } from './bonds-queries.ts';
import { type PlaceRow, placeColumns, placeJoins } from './position-queries.ts';

/** A signer manager with the key it registered last. */
export type StakingSignerRow = PlaceRow & { signer: Buffer; key: Buffer };

/** A staker of a signer: with STX, with bitcoin in a bond, or with both. */
export type SignerStakerRow = { staker: Buffer; stx: boolean; btc: boolean };

export type CycleSignerRow = {
  key: Buffer;
  weight: number;
  stacked: string;
  weight_percent: number;
  stacked_percent: number;
};

/** Which manager stood behind a key when a set was fixed, and the key it registered since then. */
export type SignerManagerRow = {
  signer: Buffer;
  key: Buffer;
  height: number;
  burn_height: number;
  tx_id: Buffer;
  next_key: Buffer | null;
  next_tx_id: Buffer | null;
};

export type GrantRow = { signer: Buffer; key: Buffer; auth_id: string; tx_id: Buffer };

/** All signer managers, or one. */
export async function listStakingSigners(sql: Sql, signer?: Uint8Array) {
  return await sql<StakingSignerRow[]>`
    select p.name as signer, s.key, ${placeColumns(sql)}
    from (
      select distinct on (s.signer) s.signer, s.height, s.place, s.event_index, s.key
      from staking_signers s
      where ${signer ? sql`s.signer = (select p.id from principals p where p.name = ${signer})` : sql`true`}
      order by s.signer, s.height desc, s.place desc, s.event_index desc
    ) s
    join principals p on p.id = s.signer
    ${placeJoins(sql, sql`s`)}
  `;
}

/** The stakers of a signer at a burn height. */
export async function listSignerStakers(sql: Sql, signer: Uint8Array, burnHeight: number) {
  return await sql<SignerStakerRow[]>`
    with signer as (
      select p.id from principals p where p.name = ${signer}
    ), candidates as (
      select distinct s.staker
      from staking_positions s
      where s.signer = (select g.id from signer g)
    )
    select p.name as staker, coalesce(l.stx, false) as stx, b.bond is not null as btc
    from candidates c
    join principals p on p.id = c.staker
    left join lateral (
      select s.bond = -1 and s.signer = (select g.id from signer g) and s.unlock_height > ${burnHeight} as stx
      from staking_positions s
      where s.staker = c.staker and s.cause <= ${positionCauses['register-for-bond']}
      order by s.height desc, s.place desc, s.event_index desc
      limit 1
    ) l on true
    left join lateral (
      select r.bond
      from (${bondPositions(sql, sql`r.staker = c.staker`)}) r
      where r.signer = (select g.id from signer g) and r.unlock_height > ${burnHeight}
      limit 1
    ) b on true
    where l.stx or b.bond is not null
  `;
}

/** The signer set of a cycle, the heaviest first. */
export async function listCycleSigners(sql: Sql, { cycle, height, weight, stacked }: PoxCycleRow) {
  return await sql<CycleSignerRow[]>`
    select s.key, s.weight, s.stacked,
      coalesce(s.weight / nullif(${weight}::float8, 0) * 100, 0) as weight_percent,
      coalesce(s.stacked / nullif(${stacked}::numeric, 0) * 100, 0)::float8 as stacked_percent
    from pox_cycle_signers s
    where s.cycle = ${cycle} and s.height = ${height}
    order by s.weight desc, s.key
  `;
}

/** The managers whose key was among these when the block at `height` fixed the set; what they registered before the next set. */
export async function listSignerManagers(sql: Sql, keys: Uint8Array[], height: number, next = 2_147_483_647) {
  const wanted = keys.map(key => Buffer.from(key).toString('hex'));
  return await sql<SignerManagerRow[]>`
    select p.name as signer, s.key, s.height, b.burn_height, t.tx_id, n.key as next_key, n.tx_id as next_tx_id
    from (
      select distinct on (s.signer) s.signer, s.height, s.place, s.key
      from staking_signers s
      where s.height < ${height}
      order by s.signer, s.height desc, s.place desc, s.event_index desc
    ) s
    join principals p on p.id = s.signer
    join transactions t on t.height = s.height and t.place = s.place
    join blocks b on b.height = s.height
    left join lateral (
      select n.key, nt.tx_id
      from staking_signers n
      join transactions nt on nt.height = n.height and nt.place = n.place
      where n.signer = s.signer and n.height >= ${height} and n.height < ${next}
      order by n.height desc, n.place desc, n.event_index desc
      limit 1
    ) n on n.key <> s.key
    where encode(s.key, 'hex') = any (${wanted})
    order by s.height, s.place
  `;
}

/** Keys that managers may use now: granted and not revoked since. */
export async function listGrants(sql: Sql, signers: Uint8Array[]) {
  const wanted = signers.map(signer => Buffer.from(signer).toString('hex'));
  return await sql<GrantRow[]>`
    select p.name as signer, g.key, g.auth_id, t.tx_id
    from (
      select distinct on (g.signer, g.key) g.signer, g.key, g.auth_id, g.active, g.height, g.place
      from staking_grants g
      order by g.signer, g.key, g.height desc, g.place desc, g.event_index desc
    ) g
    join principals p on p.id = g.signer
    join transactions t on t.height = g.height and t.place = g.place
    where g.active and encode(p.name, 'hex') = any (${wanted})
    order by g.height, g.place
  `;
}
