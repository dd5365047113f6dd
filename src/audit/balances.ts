import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { blockId } from '@cairn-stacks/codec/block/block-header';
import { eventCodes } from '../chain/event.ts';
import { constant, type Sql } from '../db/client.ts';
import { type Check, type Context, type Finding, maxFindings, midChain, notExecuted, unknownParts } from './finding.ts';

/** The STX balance of each account is the sum of its events, fees and rewards. */
export const stxSums: Check = {
  name: 'STX sums',
  async run({ sql, from, to }) {
    const rows = await sql<{ name: Buffer; height: number; stored: string; summed: string }[]>`
      with moves as (
        select e.height, e.sender as principal, -e.amount as amount
        from events e
        where e.height between ${from} and ${to} and e.kind in (${constant(sql, eventCodes.stx_transfer, eventCodes.stx_burn)})
        union all
        select e.height, e.recipient, e.amount
        from events e
        where e.height between ${from} and ${to} and e.kind in (${constant(sql, eventCodes.stx_transfer, eventCodes.stx_mint)})
        union all
        select t.height, case when t.sponsor <> 0 then t.sponsor else t.sender end, -t.fee
        from transactions t
        where t.height between ${from} and ${to} and t.fee > 0
        union all
        select r.height, r.recipient, r.coinbase + r.fees_anchored + r.fees_confirmed + r.fees_produced
        from miner_rewards r
        where r.height between ${from} and ${to}
      ), summed as (
        select m.principal, m.height, sum(m.amount) as amount from moves m group by m.principal, m.height
      ), stored as (
        select b.principal, b.height,
          coalesce(b.received, 0) + coalesce(b.rewards, 0) - coalesce(b.sent, 0) - coalesce(b.fees, 0) - coalesce((
            select coalesce(l.received, 0) + coalesce(l.rewards, 0) - coalesce(l.sent, 0) - coalesce(l.fees, 0)
            from stx_balances l
            where l.principal = b.principal and l.height < b.height
            order by l.height desc
            limit 1
          ), 0) as amount
        from stx_balances b
        where b.height between ${from} and ${to}
      )
      select p.name, coalesce(s.height, m.height) as height, coalesce(s.amount, 0) as stored, coalesce(m.amount, 0) as summed
      from stored s
      full join summed m on m.principal = s.principal and m.height = s.height
      join principals p on p.id = coalesce(s.principal, m.principal)
      where coalesce(s.amount, 0) <> coalesce(m.amount, 0)
      limit ${maxFindings}
    `;
    return rows.map(({ name, height, stored, summed }) => ({
      check: 'STX sums',
      subject: `${principalFromBytes(name)} at block ${height}`,
      message: `the balance moved by ${stored}, its events by ${summed}`,
    }));
  },
};

/** The balance of each token holder is the sum of its events. */
export const ftSums: Check = {
  name: 'token sums',
  async run({ sql, from, to }) {
    const rows = await sql<{ name: Buffer; asset: string; height: number; stored: string; summed: string }[]>`
      with moves as (
        select e.height, e.asset, e.sender as principal, -e.amount as amount
        from events e
        where e.height between ${from} and ${to} and e.kind in (${constant(sql, eventCodes.ft_transfer, eventCodes.ft_burn)})
        union all
        select e.height, e.asset, e.recipient, e.amount
        from events e
        where e.height between ${from} and ${to} and e.kind in (${constant(sql, eventCodes.ft_transfer, eventCodes.ft_mint)})
      ), summed as (
        select m.principal, m.asset, m.height, sum(m.amount) as amount
        from moves m
        group by m.principal, m.asset, m.height
      ), stored as (
        select b.principal, b.asset, b.height, coalesce(b.received, 0) - coalesce(b.sent, 0) - coalesce((
            select coalesce(l.received, 0) - coalesce(l.sent, 0)
            from ft_balances l
            where l.principal = b.principal and l.asset = b.asset and l.height < b.height
            order by l.height desc
            limit 1
          ), 0) as amount
        from ft_balances b
        where b.height between ${from} and ${to}
      )
      select p.name, a.name as asset, coalesce(s.height, m.height) as height,
        coalesce(s.amount, 0) as stored, coalesce(m.amount, 0) as summed
      from stored s
      full join summed m on m.principal = s.principal and m.asset = s.asset and m.height = s.height
      join principals p on p.id = coalesce(s.principal, m.principal)
      join assets a on a.id = coalesce(s.asset, m.asset)
      where coalesce(s.amount, 0) <> coalesce(m.amount, 0)
      limit ${maxFindings}
    `;
    return rows.map(({ name, asset, height, stored, summed }) => ({
      check: 'token sums',
      subject: `${asset} of ${principalFromBytes(name)} at block ${height}`,
      message: `the balance moved by ${stored}, its events by ${summed}`,
    }));
  },
};

/** No balance is negative. */
export const noDebts: Check = {
  name: 'no negative balance',
  async run({ sql, from, to, ...known }) {
    const rows = await sql<Debt[]>`
      select p.name, d.asset, d.height, d.balance, h.hash, h.index_hash, h.consensus_hash
      from (
        select b.principal, null as asset, b.height,
          coalesce(b.received, 0) + coalesce(b.rewards, 0) - coalesce(b.sent, 0) - coalesce(b.fees, 0) as balance
        from stx_balances b
        where b.height between ${from} and ${to}
        union all
        select b.principal, a.name, b.height, coalesce(b.received, 0) - coalesce(b.sent, 0)
        from ft_balances b
        join assets a on a.id = b.asset
        where b.height between ${from} and ${to}
      ) d
      join principals p on p.id = d.principal
      join blocks h on h.height = d.height
      where d.balance < 0
      limit ${maxFindings}
    `;
    return rows.map((debt): Finding => {
      const reason = whyDebt(debt, known);
      const asset = debt.asset ?? 'STX';
      return {
        check: 'no negative balance',
        subject: `${asset} of ${principalFromBytes(debt.name)} at block ${debt.height}`,
        message: `${debt.balance} ${asset}`,
        ...(reason !== undefined && { reason }),
      };
    });
  },
};

type Known = Pick<Context, 'rootMidChain' | 'incompleteBlocks'>;
type Sealed = { hash: Buffer; index_hash: Buffer; consensus_hash: Buffer };
type Debt = Sealed & {
  name: Buffer;
  /** Null for STX. */
  asset: string | null;
  height: number;
  balance: string;
};

/** Why an account may have less than nothing after a block; undefined when it may not. */
export async function explainDebt(sql: Sql, height: number, known: Known): Promise<string | undefined> {
  const [block] = await sql<Sealed[]>`
    select b.hash, b.index_hash, b.consensus_hash from blocks b where b.height = ${height}
  `;
  return block && whyDebt({ ...block, asset: null }, known);
}

function whyDebt(debt: Sealed & Pick<Debt, 'asset'>, { rootMidChain, incompleteBlocks }: Known) {
  if (rootMidChain) return midChain;
  if (incompleteBlocks && debt.asset === null) return unknownParts;
  return isOfNode(debt) ? undefined : notExecuted;
}

/** Blocks without a consensus hash pass: there is nothing to check them against. */
function isOfNode({ hash, index_hash, consensus_hash }: Sealed): boolean {
  return consensus_hash.length === 0 || index_hash.equals(blockId(hash, consensus_hash));
}
