import { rankedHolders } from '../rows/current-values.ts';
import type { HistoryTable } from '../rows/history-table.ts';
import type { Projection } from '../rows/projection.ts';
import { holding, holdingKey, type RunningTotal } from '../rows/running-total.ts';
import { loaded } from '../rows/running-totals.ts';
import { assetHoldersTable, assetTotals, assetTotalsTable, fundedChange, holdersTable } from './holders.ts';

const ftBalancesTable: HistoryTable = {
  name: 'ft_balances',
  columns: { principal: 'principal', asset: 'asset', height: 'int4', sent: 'numeric', received: 'numeric' },
  key: ['principal', 'asset'],
  order: ['height'],
};

/** What a principal sent and received of a token; `known` once a block has changed it. */
type FtTotals = { sent: bigint; received: bigint; known: boolean };

const ftTotals: RunningTotal<number, FtTotals> = {
  history: ftBalancesTable,
  values: ['sent', 'received'],
  ...holdingKey,
  initial: () => ({ sent: 0n, received: 0n, known: false }),
  read: row => ({ sent: BigInt(row.sent ?? 0), received: BigInt(row.received ?? 0), known: true }),
};

const isFt = (kind: string) => kind === 'ft_transfer' || kind === 'ft_mint' || kind === 'ft_burn';

/** Fungible tokens of each account after each block that changed them, with supply and number of holders. */
export const ftBalances: Projection = {
  tables: [ftBalancesTable, assetTotalsTable, assetHoldersTable],
  currents: [
    rankedHolders({
      holders: holdersTable,
      history: ftBalancesTable,
      asset: 'n.asset',
      balance: 'coalesce(b.received, 0) - coalesce(b.sent, 0)',
    }),
  ],
  totals: [ftTotals, assetTotals],

  wants({ transactions }, want) {
    for (const { events } of transactions) {
      for (const { source, asset, sender, recipient } of events) {
        if (!isFt(source.kind)) continue;
        want(assetTotals, asset, 0);
        if (sender) want(ftTotals, holding(sender, asset), sender);
        if (recipient) want(ftTotals, holding(recipient, asset), recipient);
      }
    }
  },

  apply({ height, transactions }, totals, _chain, rows) {
    const holdings = totals.of(ftTotals);
    const byAsset = totals.of(assetTotals);
    const touched = new Map<number, { principal: number; asset: number; before: bigint | undefined }>();
    const assets = new Set<number>();
    const move = (principal: number, asset: number, side: 'sent' | 'received', amount: bigint) => {
      const key = holding(principal, asset);
      const held = loaded(holdings, key);
      if (!touched.has(key)) {
        touched.set(key, { principal, asset, before: held.known ? held.received - held.sent : undefined });
      }
      if (!held.known) {
        loaded(byAsset, asset).holders++;
        rows.add(assetHoldersTable, [asset, height, principal]);
      }
      held.known = true;
      held[side] += amount;
    };
    for (const tx of transactions) {
      for (const { source, asset, sender, recipient, amount } of tx.events) {
        if (!isFt(source.kind)) continue;
        assets.add(asset);
        if (sender) move(sender, asset, 'sent', amount);
        if (recipient) move(recipient, asset, 'received', amount);
        if (source.kind === 'ft_mint') loaded(byAsset, asset).supply += amount;
        if (source.kind === 'ft_burn') loaded(byAsset, asset).supply -= amount;
      }
    }
    for (const [key, { principal, asset, before }] of touched) {
      const { sent, received } = loaded(holdings, key);
      rows.add(ftBalancesTable, [
        principal,
        asset,
        height,
        sent === 0n ? null : sent,
        received === 0n ? null : received,
      ]);
      rows.rank(holdersTable, asset, principal, before, received - sent);
      loaded(byAsset, asset).funded += fundedChange(before, received - sent);
    }
    for (const asset of assets) {
      const { holders, mints, supply, funded } = loaded(byAsset, asset);
      rows.add(assetTotalsTable, [asset, height, holders, mints, supply, funded]);
    }
  },
};
