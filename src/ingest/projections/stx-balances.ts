import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';
import { type StxTotals, total } from '../rows/running-totals.ts';
import { assetTotalsTable, fundedChange, holdersTable, stxAsset } from './holders.ts';

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

const minerRewardTotalsTable: Table = {
  name: 'miner_reward_totals',
  columns: { recipient: 'principal', height: 'int4', rewards: 'int4', coinbase: 'numeric', fees: 'numeric' },
};

const balance = 'coalesce(b.received, 0) + coalesce(b.rewards, 0) - coalesce(b.sent, 0) - coalesce(b.fees, 0)';

/** The balance of each account that a block above $1 touched, as it stood at the height in the placeholder. */
const touchedAt = (height: string) => `
  select t.principal, p.balance
  from (select distinct b.principal from stx_balances b where b.height > $1::int) t
  cross join lateral (
    select ${balance} as balance
    from stx_balances b
    where b.principal = t.principal and b.height <= ${height}::int
    order by b.height desc
    limit 1
  ) p`;

/** STX of each account after each block that changed it, the credits of miners, and the supply. */
export const stxBalances: Projection = {
  tables: [stxBalancesTable, minerRewardsTable, minerRewardTotalsTable, assetTotalsTable],
  currents: [holdersTable],
  restore: [
    `delete from holders h using (${touchedAt('$2')}) n
     where h.asset = ${stxAsset} and h.balance = n.balance and h.principal = n.principal`,
    `insert into holders (asset, principal, balance)
     select ${stxAsset}, n.principal, n.balance from (${touchedAt('$1')}) n where $2::int is not null`,
  ],
  derive: [
    `insert into holders (asset, principal, balance)
     select ${stxAsset}, n.principal, n.balance
     from (
       select distinct on (b.principal) b.principal, ${balance} as balance
       from stx_balances b
       order by b.principal, b.height desc
     ) n`,
  ],

  apply({ height, transactions, rewards }, ledger, totals, rows) {
    const touched = new Map<number, bigint | undefined>();
    const account = (principal: number): StxTotals => {
      const stx = total(ledger.stx, principal);
      if (!touched.has(principal)) touched.set(principal, stx.known ? balanceOf(stx) : undefined);
      return stx;
    };
    for (const tx of transactions) {
      // Who signs appears among the holders, if only with nothing.
      account(tx.payer || tx.sponsor || tx.sender).fees += tx.fee;
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
    const paid = new Set<number>();
    rewards.forEach(({ recipient, miner, reward }, position) => {
      const { coinbase, feesAnchored, feesStreamedConfirmed, feesStreamedProduced } = reward;
      const fees = feesAnchored + feesStreamedConfirmed + feesStreamedProduced;
      account(recipient).rewards += coinbase + fees;
      if (coinbase + fees > 0n) {
        const mined = total(ledger.mining, recipient);
        mined.rewards++;
        mined.coinbase += coinbase;
        mined.fees += fees;
        paid.add(recipient);
      }
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
    for (const recipient of paid) {
      const { rewards: count, coinbase, fees } = total(ledger.mining, recipient);
      rows.add(minerRewardTotalsTable, [recipient, height, count, coinbase, fees]);
    }
    const all = total(ledger.assets, stxAsset);
    for (const [principal, before] of touched) {
      const stx = total(ledger.stx, principal);
      if (!stx.known) all.holders++;
      stx.known = true;
      all.supply += balanceOf(stx) - (before ?? 0n);
      all.funded += fundedChange(before, balanceOf(stx));
      const { sent, received, fees, rewards: earned } = stx;
      rows.add(stxBalancesTable, [principal, height, orNull(sent), orNull(received), orNull(fees), orNull(earned)]);
      rows.rank(stxAsset, principal, before, balanceOf(stx));
    }
    if (touched.size > 0)
      rows.add(assetTotalsTable, [stxAsset, height, all.holders, all.mints, all.supply, all.funded]);
  },
};

/** What an account has, locked or not. */
const balanceOf = ({ sent, received, fees, rewards }: StxTotals) => received + rewards - sent - fees;

/** In a table of at most eight columns a null costs nothing. */
const orNull = (amount: bigint) => (amount === 0n ? null : amount);
