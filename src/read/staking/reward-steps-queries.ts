import type { PrintPlace } from '../../chain/pox/staking-term.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';

/** A pool of rewards: those of a bond in a cycle, or with -1 those of who staked STX alone. */
export type PoolKey = { bond: number; cycle: number };
export type SignerPoolKey = PoolKey & { signer: number };

type PlaceRow = Record<'height' | 'place' | 'event_index', number>;

const placeIn = ({ height, place, event_index: index }: PlaceRow): PrintPlace => ({ height, place, index });
const column = <Key>(keys: readonly Key[], read: (key: Key) => number) => arrayLiteral(keys.map(read));

/** What a share of these pools received with each calculation, in the order of the chain. */
export async function listRates(sql: Sql, pools: readonly PoolKey[]) {
  const rows = await sql<(PlaceRow & PoolKey & { calculation_height: number; rate: string })[]>`
    select r.bond, r.cycle, r.height, r.place, r.event_index, r.calculation_height, r.rate
    from unnest(${column(pools, pool => pool.bond)}::int[], ${column(pools, pool => pool.cycle)}::int[]) as k (bond, cycle)
    join staking_rates r on r.bond = k.bond and r.cycle = k.cycle
    order by r.height, r.place, r.event_index
  `;
  return rows.map(row => ({
    ...placeIn(row),
    ...{ bond: row.bond, cycle: row.cycle, calculationHeight: row.calculation_height, rate: BigInt(row.rate) },
  }));
}

/** When signers fetched the rewards of these pools, in the order of the chain. */
export async function listSignerClaims(sql: Sql, pools: readonly SignerPoolKey[]) {
  const rows = await sql<(PlaceRow & SignerPoolKey)[]>`
    select c.signer, c.bond, c.cycle, c.height, c.place, c.event_index
    from unnest(
      ${column(pools, pool => pool.signer)}::int[], ${column(pools, pool => pool.cycle)}::int[],
      ${column(pools, pool => pool.bond)}::int[]
    ) as k (signer, cycle, bond)
    join staking_signer_claims c on c.signer = k.signer and c.cycle = k.cycle and c.bond = k.bond
    order by c.height, c.place, c.event_index
  `;
  return rows.map(row => ({ ...placeIn(row), signer: row.signer, bond: row.bond, cycle: row.cycle }));
}

/** What stakers claimed, in the order of the chain. */
export async function listStakerClaims(sql: Sql, stakers: readonly number[]) {
  const rows = await sql<(PlaceRow & SignerPoolKey & { staker: number; sats: string })[]>`
    select c.staker, c.signer, c.bond, c.cycle, c.height, c.place, c.event_index, c.sats
    from staking_claims c
    where c.staker = any (${arrayLiteral(stakers)}::int[])
    order by c.height, c.place, c.event_index
  `;
  return rows.map(row => ({
    ...placeIn(row),
    ...{ staker: row.staker, signer: row.signer, bond: row.bond, cycle: row.cycle, sats: BigInt(row.sats) },
  }));
}

/** Micro-STX that all stakers of a signer have in a cycle. */
export async function listDelegated(sql: Sql, keys: readonly { signer: number; cycle: number }[]) {
  const rows = await sql<{ signer: number; cycle: number; stx: string }[]>`
    select k.signer, k.cycle, s.stx
    from unnest(${column(keys, key => key.signer)}::int[], ${column(keys, key => key.cycle)}::int[]) as k (signer, cycle)
    cross join lateral (
      select s.stx
      from staking_signer_cycles s
      where s.signer = k.signer and s.cycle = k.cycle
      order by s.height desc
      limit 1
    ) s
  `;
  return rows.map(row => ({ ...row, stx: BigInt(row.stx) }));
}

/** The last cycle whose rewards were calculated; -1 where none were. */
export async function findLastCalculatedCycle(sql: Sql): Promise<number> {
  const [row] = await sql<{ cycle: number | null }[]>`
    select max(r.cycle) as cycle from staking_rates r where r.bond = -1
  `;
  return row?.cycle ?? -1;
}
