import { stakingTopics } from '../../chain/pox/staking-topic.ts';
import { constant, type Sql } from '../../db/client.ts';
import { type EventPageRequest, listEventPositions } from '../events/positions-queries.ts';

/** A print that belongs to a bond; for a distribution with the calculation of the same transaction. */
export type BondEventRow = { value: Buffer; calculation: Buffer | null };

/** The prints of a bond, the newest first. */
export async function listBondEvents(sql: Sql, bond: number, page: EventPageRequest) {
  const where = sql`k.bond >= 0 and k.bond = ${bond}`;
  const total = sql`
    select count(*)
    from staking_events k
    where ${where} and k.height <= (select f.height from fold_position f)
  `;
  return await listEventPositions<BondEventRow>(sql, { table: 'staking_events', where, total }, page, {
    columns: sql`
      e.value,
      (
        select v.value
        from staking_events c
        join events v on v.height = c.height and v.place = c.place and v.event_index = c.event_index
        where c.height = e.height and c.place = e.place
          and c.topic = ${constant(sql, stakingTopics['calculate-rewards'])}
        order by c.event_index desc
        limit 1
      ) as calculation
    `,
    joins: sql``,
  });
}

/** A print of a cycle with its position. */
export type CyclePrintRow = { height: number; place: number; event_index: number; topic: number; value: Buffer };

/** Calculations and claims of signers for a cycle, in their order. */
export async function listCyclePrints(sql: Sql, cycle: number): Promise<CyclePrintRow[]> {
  return await sql<CyclePrintRow[]>`
    select k.height, k.place, k.event_index, k.topic, e.value
    from staking_events k
    join events e on e.height = k.height and e.place = k.place and e.event_index = k.event_index
    where k.cycle >= 0 and k.cycle = ${cycle}
      and k.topic in (${constant(sql, stakingTopics['calculate-rewards'])}, ${constant(sql, stakingTopics['claim-rewards'])})
    order by k.height, k.place, k.event_index
  `;
}

/** How many were credited rewards for the STX they staked in a cycle. */
export async function countCreditedStakers(sql: Sql, cycle: number): Promise<number> {
  const [row] = await sql<{ stakers: number }[]>`
    select count(distinct k.staker)::int as stakers
    from staking_events k
    where k.cycle >= 0 and k.cycle = ${cycle} and k.bond < 0
      and k.topic = ${constant(sql, stakingTopics['claim-staker-rewards-for-signer'])}
  `;
  return row!.stakers;
}
