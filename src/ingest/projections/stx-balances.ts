import type { Table } from '../../db/table.ts';
import { type StxTotals, total } from '../ledger.ts';
import type { CurrentTable, Projection } from '../projection.ts';

export const stxBalancesTable: Table = {
  name: 'stx_balances',
  columns: {
    principal: 'principal',
    height: 'int4',
    sent: 'numeric',
    received: 'numeric',
    fees: 'numeric',
    rewards: 'numeric',
  },
};

export const minerRewardsTable: Table = {
  name: 'miner_rewards',
  columns: {
    height: 'int4',
    position: 'int2',
    recipient: 'principal',
    miner: 'principal',
    coinbase: 'numeric',
    fees_anchored: 'numeric',
    fees_confirmed: 'numeric',
    fees_produced: 'numeric',
    from_index_hash: 'bytea',
  },
};

export const stxCurrentTable: CurrentTable = {
  name: 'stx_current',
  columns: { principal: 'principal', balance: 'numeric' },
  key: ['principal'],
  restore: `
    with touched as (
      select distinct b.principal from stx_balances b where b.height > $1
    ), past as (
      select t.principal, p.balance
      from touched t
      left join lateral (
        select coalesce(b.received, 0) + coalesce(b.rewards, 0) - coalesce(b.sent, 0) - coalesce(b.fees, 0) as balance
        from stx_balances b
        where b.principal = t.principal and b.height <= $1
        order by b.height desc
        limit 1
      ) p on true
    )
    merge into stx_current c
    using past p on c.principal = p.principal
    when matched and p.balance is null then delete
    when matched then update set balance = p.balance
  `,
};

/** STX of each account after each block that changed it, the credits of miners, and the supply. */
export const stxBalances: Projection = {
  tables: [stxBalancesTable, minerRewardsTable],
  currents: [stxCurrentTable],

  apply({ height, transactions, rewards }, ledger, totals, rows) {
    const touched = new Set<number>();
    const account = (principal: number): StxTotals => {
      touched.add(principal);
      return total(ledger.stx, principal);
    };
    for (const tx of transactions) {
      if (tx.payer) account(tx.payer).fees += tx.fee;
      for (const event of tx.events) {
        switch (event.source.kind) {
          case 'stx_transfer':
            account(event.sender).sent += event.amount;
            account(event.recipient).received += event.amount;
            break;
          case 'stx_mint':
            account(event.recipient).received += event.amount;
            totals.supply += event.amount;
            break;
          case 'stx_burn':
            account(event.sender).sent += event.amount;
            totals.supply -= event.amount;
            break;
        }
      }
    }
    rewards.forEach(({ recipient, miner, reward }, position) => {
      const { coinbase, feesAnchored, feesStreamedConfirmed, feesStreamedProduced } = reward;
      account(recipient).rewards += coinbase + feesAnchored + feesStreamedConfirmed + feesStreamedProduced;
      // Fees only change hands; a coinbase is new.
      totals.supply += coinbase;
      rows.add(minerRewardsTable, [
        height,
        position,
        recipient,
        miner,
        coinbase,
        feesAnchored,
        feesStreamedConfirmed,
        feesStreamedProduced,
        reward.fromIndexHash,
      ]);
    });
    for (const principal of touched) {
      const { sent, received, fees, rewards: earned } = total(ledger.stx, principal);
      rows.add(stxBalancesTable, [principal, height, orNull(sent), orNull(received), orNull(fees), orNull(earned)]);
      rows.set(stxCurrentTable, String(principal), [principal, received + earned - sent - fees]);
    }
  },
};

/** In a table of at most eight columns a null costs nothing. */
const orNull = (amount: bigint) => (amount === 0n ? null : amount);
