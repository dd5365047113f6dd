import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';
import { holding, total } from '../rows/running-totals.ts';
import { assetTotalsTable, fundedChange, holdersTable } from './holders.ts';

export const ftBalancesTable: Table = {
  name: 'ft_balances',
  columns: { principal: 'principal', asset: 'asset', height: 'int4', sent: 'numeric', received: 'numeric' },
};

/** The balance of each holding that a block above $1 touched, as it stood at the height in the placeholder. */
const touchedAt = (height: string) => `
  select t.principal, t.asset, p.balance
  from (select distinct b.principal, b.asset from ft_balances b where b.height > $1::int) t
  cross join lateral (
    select coalesce(b.received, 0) - coalesce(b.sent, 0) as balance
    from ft_balances b
    where b.principal = t.principal and b.asset = t.asset and b.height <= ${height}::int
    order by b.height desc
    limit 1
  ) p`;

/** Fungible tokens of each account after each block that changed them, with supply and number of holders. */
export const ftBalances: Projection = {
  tables: [ftBalancesTable, assetTotalsTable],
  currents: [holdersTable],
  restore: [
    `delete from holders h using (${touchedAt('$2')}) n
     where h.asset = n.asset and h.balance = n.balance and h.principal = n.principal`,
    `insert into holders (asset, principal, balance)
     select n.asset, n.principal, n.balance from (${touchedAt('$1')}) n where $2::int is not null`,
  ],
  derive: [
    `insert into holders (asset, principal, balance)
     select n.asset, n.principal, n.balance
     from (
       select distinct on (b.principal, b.asset) b.principal, b.asset,
         coalesce(b.received, 0) - coalesce(b.sent, 0) as balance
       from ft_balances b
       order by b.principal, b.asset, b.height desc
     ) n`,
  ],

  apply({ height, transactions }, ledger, _totals, rows) {
    const touched = new Map<number, { principal: number; asset: number; before: bigint | undefined }>();
    const assets = new Set<number>();
    const move = (principal: number, asset: number, side: 'sent' | 'received', amount: bigint) => {
      const key = holding(principal, asset);
      const totals = total(ledger.ft, key);
      if (!touched.has(key)) {
        touched.set(key, { principal, asset, before: totals.known ? totals.received - totals.sent : undefined });
      }
      if (!totals.known) total(ledger.assets, asset).holders++;
      totals.known = true;
      totals[side] += amount;
    };
    for (const tx of transactions) {
      for (const { source, asset, sender, recipient, amount } of tx.events) {
        if (source.kind !== 'ft_transfer' && source.kind !== 'ft_mint' && source.kind !== 'ft_burn') continue;
        assets.add(asset);
        if (sender) move(sender, asset, 'sent', amount);
        if (recipient) move(recipient, asset, 'received', amount);
        if (source.kind === 'ft_mint') total(ledger.assets, asset).supply += amount;
        if (source.kind === 'ft_burn') total(ledger.assets, asset).supply -= amount;
      }
    }
    for (const [key, { principal, asset, before }] of touched) {
      const { sent, received } = total(ledger.ft, key);
      rows.add(ftBalancesTable, [
        principal,
        asset,
        height,
        sent === 0n ? null : sent,
        received === 0n ? null : received,
      ]);
      rows.rank(asset, principal, before, received - sent);
      total(ledger.assets, asset).funded += fundedChange(before, received - sent);
    }
    for (const asset of assets) {
      const { holders, mints, supply, funded } = total(ledger.assets, asset);
      rows.add(assetTotalsTable, [asset, height, holders, mints, supply, funded]);
    }
  },
};
