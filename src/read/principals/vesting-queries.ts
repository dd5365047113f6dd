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
  const account = sql`
    (select p.id as account, m.height from (${asOfBlock(sql, asOf)}) m join principals p on p.name = ${principal})
  `;
  const [row] = await sql<VestingRow[]>`select v.* from ${account} b cross join lateral (${vesting(sql)}) v`;
  return row;
}

/** A subquery of at most one row, for an account with a schedule: its key is `b.account`, the height `b.height`. */
export const vesting = (sql: Sql) => sql`
  select
    coalesce(sum(v.amount) filter (where v.height > b.height), 0)::text as locked,
    coalesce(sum(v.amount) filter (where v.height <= b.height), 0)::text as unlocked,
    json_agg(json_build_object('amount', v.amount::text, 'height', v.height) order by v.height, v.ordinal) as schedule
  from genesis_vesting v
  where v.principal = b.account
  having count(*) > 0
`;
