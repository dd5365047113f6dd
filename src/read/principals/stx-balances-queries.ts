import { namedState } from '../../cache/tip-queries.ts';
import { arrayLiteral, type Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';
import { type PendingStx, type PendingStxRow, pendingStx, readPendingStx } from './pending-stx-queries.ts';

/** The STX of a principal as of a block, and its last lock, which may have ended. */
export type StxBalanceRow = {
  /** Height up to which it was counted. */
  height: number;
  burn_height: number | null;
  unlock_heights: bigint[] | null;
  balance: string;
  sent: string;
  received: string;
  fees: string;
  rewards: string;
  lock_amount: string | null;
  lock_contract: Buffer | null;
  lock_height: number | null;
  lock_burn_height: number | null;
  lock_tx_id: Buffer | null;
  unlock_height: number | null;
};

/** Undefined when no block has that height or hash; an account that never acted has zeros. */
export async function findStxBalance(sql: Sql, principal: Uint8Array, asOf: AsOf): Promise<StxBalanceRow | undefined> {
  return (await listStxBalances(sql, [principal], asOf))[0];
}

/** The STX of several accounts, in their order; none when no block has that height or hash. */
export async function listStxBalances(
  sql: Sql,
  principals: readonly Uint8Array[],
  asOf: AsOf,
): Promise<StxBalanceRow[]> {
  return await sql<StxBalanceRow[]>`
    select b.*, ${namedState(sql)} from (${stxBalances(sql, principals, asOf)}) b order by b.n
  `;
}

/** The STX of an account at the tip with what pending transactions would move for it; undefined before the first block. */
export async function findStxPosition(
  sql: Sql,
  principal: Uint8Array,
): Promise<(StxBalanceRow & { pending: PendingStx }) | undefined> {
  const [row] = await sql<(StxBalanceRow & PendingStxRow)[]>`
    select b.*, p.inbound, p.outbound, ${namedState(sql)}
    from (${stxBalances(sql, [principal], 'tip')}) b
    cross join lateral (${pendingStx(sql)}) p
  `;
  return row && { ...row, pending: readPendingStx(row) };
}

/** A subquery of the STX of several accounts, to be ordered by `n`; `account` is the key of one that ever acted. */
export const stxBalances = (sql: Sql, principals: readonly Uint8Array[], asOf: AsOf) => sql`
  select
    a.n,
    p.id as account,
    m.height,
    m.burn_height,
    m.unlock_heights,
    coalesce(s.received, 0) + coalesce(s.rewards, 0) - coalesce(s.sent, 0) - coalesce(s.fees, 0) as balance,
    coalesce(s.sent, 0) as sent,
    coalesce(s.received, 0) as received,
    coalesce(s.fees, 0) as fees,
    coalesce(s.rewards, 0) as rewards,
    l.amount as lock_amount,
    l.contract as lock_contract,
    l.height as lock_height,
    l.burn_height as lock_burn_height,
    l.tx_id as lock_tx_id,
    l.unlock_height
  from (${asOfBlock(sql, asOf)}) m
  cross join unnest(${arrayLiteral(principals)}::bytea[]) with ordinality as a (name, n)
  left join principals p on p.name = a.name
  left join lateral (
    select b.sent, b.received, b.fees, b.rewards
    from stx_balances b
    where b.principal = p.id and b.height <= m.height
    order by b.height desc
    limit 1
  ) s on true
  left join lateral (
    select l.amount, c.name as contract, l.height, b.burn_height, t.tx_id, l.unlock_height
    from stx_locks l
    join principals c on c.id = l.contract
    join transactions t on t.height = l.height and t.place = l.place
    left join blocks b on b.height = l.height
    where l.principal = p.id and l.height <= m.height
    order by l.height desc, l.place desc, l.event_index desc
    limit 1
  ) l on true
`;
