import type { Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';

/** What an account was promised when the chain began, and how much of it is still locked as of a block; micro-STX. */
export type VestingRow = {
  locked: string;
  unlocked: string;
  /** Lowest block first. */
  schedule: { amount: string; height: number }[];
};

/** Undefined for the many accounts without a schedule, and when no block has that height or hash. */
export async function findVesting(sql: Sql, principal: Uint8Array, asOf: AsOf): Promise<VestingRow | undefined> {
  const [row] = await sql<VestingRow[]>`${vesting(sql, principal, asOf)}`;
  return row;
}

/** A subquery of at most one row, for an account with a schedule. */
export const vesting = (sql: Sql, principal: Uint8Array, asOf: AsOf) => sql`
  select
    coalesce(sum(v.amount) filter (where v.height > m.height), 0)::text as locked,
    coalesce(sum(v.amount) filter (where v.height <= m.height), 0)::text as unlocked,
    json_agg(json_build_object('amount', v.amount::text, 'height', v.height) order by v.height, v.ordinal) as schedule
  from (${asOfBlock(sql, asOf)}) m
  join principals p on p.name = ${principal}
  join genesis_vesting v on v.principal = p.id
  having count(*) > 0
`;
