import { eventCodes } from '../chain/event.ts';
import { constant } from '../db/client.ts';
import { type Check, type Finding, maxFindings, midChain } from './finding.ts';

/** The supply written with each block is the one before it, plus mints and coinbases, minus burns. */
export const supplySteps: Check = {
  name: 'supply',
  async run({ sql, from, to }) {
    const rows = await sql<{ height: number; stored: string; summed: string }[]>`
      select s.height, s.stored, s.summed
      from (
        select b.height, b.supply - coalesce(l.supply, 0) as stored, coalesce(e.amount, 0) + coalesce(r.amount, 0) as summed
        from blocks b
        left join blocks l on l.height = b.height - 1
        left join lateral (
          select sum(case when e.kind = ${constant(sql, eventCodes.stx_mint)} then e.amount else -e.amount end) as amount
          from events e
          where e.height = b.height and e.kind in (${constant(sql, eventCodes.stx_mint, eventCodes.stx_burn)})
        ) e on true
        left join lateral (
          select sum(r.coinbase) as amount from miner_rewards r where r.height = b.height
        ) r on true
        where b.height between ${from} and ${to}
      ) s
      where s.stored <> s.summed
      order by s.height
      limit ${maxFindings}
    `;
    return rows.map(({ height, stored, summed }) => ({
      check: 'supply',
      subject: `block ${height}`,
      message: `the supply moved by ${stored}, mints, coinbases and burns by ${summed}`,
    }));
  },
};

/** All balances together are the supply, less the fees that no miner has been paid yet. */
export const conservation: Check = {
  name: 'conservation',
  async run({ sql, rootMidChain }) {
    const [row] = await sql<{ balances: string; supply: string; fees: string }[]>`
      select
        (
          select coalesce(sum(l.balance), 0)
          from (
            select distinct on (b.principal)
              coalesce(b.received, 0) + coalesce(b.rewards, 0) - coalesce(b.sent, 0) - coalesce(b.fees, 0) as balance
            from stx_balances b
            where b.height <= (select p.height from fold_position p)
            order by b.principal, b.height desc
          ) l
        ) as balances,
        coalesce((select b.supply from blocks b order by b.height desc limit 1), 0) as supply,
        coalesce((select sum(t.fee) from transactions t where t.height <= (select p.height from fold_position p)), 0)
          - coalesce((select sum(r.fees_anchored + r.fees_confirmed + r.fees_produced) from miner_rewards r), 0) as fees
    `;
    const { balances, supply, fees } = row!;
    if (BigInt(balances) + BigInt(fees) === BigInt(supply)) return [];
    const finding: Finding = {
      check: 'conservation',
      subject: 'all accounts',
      message: `balances ${balances} and unpaid fees ${fees} are not the supply ${supply}`,
    };
    return [rootMidChain ? { ...finding, reason: midChain } : finding];
  },
};
