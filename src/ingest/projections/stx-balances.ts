import type { Table } from '../../db/table.ts';
import { rankedHolders } from '../rows/current-values.ts';
import type { HistoryTable } from '../rows/history-table.ts';
import type { Projection } from '../rows/projection.ts';
import type { ResolvedTransaction } from '../rows/resolved-block.ts';
import { integerKey, type RunningTotal } from '../rows/running-total.ts';
import { loaded } from '../rows/running-totals.ts';
import { assetHoldersTable, assetTotals, assetTotalsTable, fundedChange, holdersTable, stxAsset } from './holders.ts';

const stxBalancesTable: HistoryTable = {
  name: 'stx_balances',
  columns: {
    principal: 'principal',
    height: 'int4',
    sent: 'numeric',
    received: 'numeric',
    fees: 'numeric',
    rewards: 'numeric',
  },
  key: ['principal'],
  order: ['height'],
};

const minerRewardsTable: Table = {
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

const minerRewardTotalsTable: HistoryTable = {
  name: 'miner_reward_totals',
  columns: { recipient: 'principal', height: 'int4', rewards: 'int4', coinbase: 'numeric', fees: 'numeric' },
  key: ['recipient'],
  order: ['height'],
};

/** Totals of an account; `known` once a block has touched it. */
type StxTotals = { sent: bigint; received: bigint; fees: bigint; rewards: bigint; known: boolean };

const stxTotals: RunningTotal<number, StxTotals> = {
  history: stxBalancesTable,
  values: ['sent', 'received', 'fees', 'rewards'],
  ...integerKey('principal'),
  initial: () => ({ sent: 0n, received: 0n, fees: 0n, rewards: 0n, known: false }),
  read: ({ sent, received, fees, rewards }) => ({
    sent: BigInt(sent ?? 0),
    received: BigInt(received ?? 0),
    fees: BigInt(fees ?? 0),
    rewards: BigInt(rewards ?? 0),
    known: true,
  }),
};

type MiningTotals = { rewards: number; coinbase: bigint; fees: bigint };

const miningTotals: RunningTotal<number, MiningTotals> = {
  history: minerRewardTotalsTable,
  values: ['rewards', 'coinbase', 'fees'],
  ...integerKey('recipient'),
  initial: () => ({ rewards: 0, coinbase: 0n, fees: 0n }),
  read: ({ rewards, coinbase, fees }) => ({ rewards, coinbase: BigInt(coinbase), fees: BigInt(fees) }),
};

/** The account that a transaction is charged to; it appears among the holders, if only with nothing. */
const signerOf = ({ payer, sponsor, sender }: ResolvedTransaction) => payer || sponsor || sender;

/** STX of each account after each block that changed it, the credits of miners, and the supply. */
export const stxBalances: Projection = {
  tables: [stxBalancesTable, minerRewardsTable, minerRewardTotalsTable, assetTotalsTable, assetHoldersTable],
  currents: [
    rankedHolders({
      holders: holdersTable,
      history: stxBalancesTable,
      asset: String(stxAsset),
      balance: 'coalesce(b.received, 0) + coalesce(b.rewards, 0) - coalesce(b.sent, 0) - coalesce(b.fees, 0)',
    }),
  ],
  totals: [stxTotals, miningTotals, assetTotals],

  wants({ transactions, rewards }, want) {
    want(assetTotals, stxAsset, 0);
    const account = (principal: number) => {
      if (principal) want(stxTotals, principal, principal);
    };
    for (const tx of transactions) {
      account(signerOf(tx));
      for (const { source, sender, recipient } of tx.events) {
        const { kind } = source;
        if (kind !== 'stx_transfer' && kind !== 'stx_mint' && kind !== 'stx_burn') continue;
        account(sender);
        account(recipient);
      }
    }
    for (const { recipient } of rewards) {
      account(recipient);
      want(miningTotals, recipient, recipient);
    }
  },

  apply({ height, transactions, rewards }, totals, chain, rows) {
    const accounts = totals.of(stxTotals);
    const mining = totals.of(miningTotals);
    const touched = new Map<number, bigint | undefined>();
    const account = (principal: number): StxTotals => {
      const stx = loaded(accounts, principal);
      if (!touched.has(principal)) touched.set(principal, stx.known ? balanceOf(stx) : undefined);
      return stx;
    };
    for (const tx of transactions) {
      account(signerOf(tx)).fees += tx.fee;
      for (const event of tx.events) {
        switch (event.source.kind) {
          case 'stx_transfer':
            account(event.sender).sent += event.amount;
            account(event.recipient).received += event.amount;
            break;
          case 'stx_mint':
            account(event.recipient).received += event.amount;
            chain.supply += event.amount;
            break;
          case 'stx_burn':
            account(event.sender).sent += event.amount;
            chain.supply -= event.amount;
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
        const mined = loaded(mining, recipient);
        mined.rewards++;
        mined.coinbase += coinbase;
        mined.fees += fees;
        paid.add(recipient);
      }
      // Fees only change hands; a coinbase is new.
      chain.supply += coinbase;
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
      const { rewards: count, coinbase, fees } = loaded(mining, recipient);
      rows.add(minerRewardTotalsTable, [recipient, height, count, coinbase, fees]);
    }
    const all = loaded(totals.of(assetTotals), stxAsset);
    for (const [principal, before] of touched) {
      const stx = loaded(accounts, principal);
      if (!stx.known) {
        all.holders++;
        rows.add(assetHoldersTable, [stxAsset, height, principal]);
      }
      stx.known = true;
      all.supply += balanceOf(stx) - (before ?? 0n);
      all.funded += fundedChange(before, balanceOf(stx));
      const { sent, received, fees, rewards: earned } = stx;
      rows.add(stxBalancesTable, [principal, height, orNull(sent), orNull(received), orNull(fees), orNull(earned)]);
      rows.rank(holdersTable, stxAsset, principal, before, balanceOf(stx));
    }
    if (touched.size > 0)
      rows.add(assetTotalsTable, [stxAsset, height, all.holders, all.mints, all.supply, all.funded]);
  },
};

/** The balance of an account, locked STX included. */
const balanceOf = ({ sent, received, fees, rewards }: StxTotals) => received + rewards - sent - fees;

/** In a table of at most eight columns a null costs nothing. */
const orNull = (amount: bigint) => (amount === 0n ? null : amount);
