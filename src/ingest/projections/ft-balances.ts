import type { Table } from '../../db/table.ts';
import { holding, total } from '../ledger.ts';
import type { CurrentTable, Projection } from '../projection.ts';

export const ftBalancesTable: Table = {
  name: 'ft_balances',
  columns: { principal: 'principal', asset: 'asset', height: 'int4', sent: 'numeric', received: 'numeric' },
};

/** Shared with the NFT projection: an asset is either fungible or not. */
export const assetTotalsTable: Table = {
  name: 'asset_totals',
  columns: { asset: 'asset', height: 'int4', holders: 'int4', mints: 'int4', supply: 'numeric' },
};

export const ftCurrentTable: CurrentTable = {
  name: 'ft_current',
  columns: { principal: 'principal', asset: 'asset', balance: 'numeric' },
  key: ['principal', 'asset'],
  restore: `
    with touched as (
      select distinct b.principal, b.asset from ft_balances b where b.height > $1
    ), past as (
      select t.principal, t.asset, p.balance
      from touched t
      left join lateral (
        select coalesce(b.received, 0) - coalesce(b.sent, 0) as balance
        from ft_balances b
        where b.principal = t.principal and b.asset = t.asset and b.height <= $1
        order by b.height desc
        limit 1
      ) p on true
    )
    merge into ft_current c
    using past p on c.principal = p.principal and c.asset = p.asset
    when matched and p.balance is null then delete
    when matched then update set balance = p.balance
  `,
};

/** Fungible tokens of each account after each block that changed them, with supply and number of holders. */
export const ftBalances: Projection = {
  tables: [ftBalancesTable, assetTotalsTable],
  currents: [ftCurrentTable],

  apply({ height, transactions }, ledger, _totals, rows) {
    const touched = new Map<string, [principal: number, asset: number]>();
    const assets = new Set<number>();
    const move = (principal: number, asset: number, side: 'sent' | 'received', amount: bigint) => {
      const key = holding(principal, asset);
      const totals = total(ledger.ft, key);
      const held = totals.received > totals.sent;
      totals[side] += amount;
      touched.set(key, [principal, asset]);
      const holds = totals.received > totals.sent;
      if (holds !== held) total(ledger.assets, asset).holders += holds ? 1 : -1;
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
    for (const [key, [principal, asset]] of touched) {
      const { sent, received } = total(ledger.ft, key);
      rows.add(ftBalancesTable, [
        principal,
        asset,
        height,
        sent === 0n ? null : sent,
        received === 0n ? null : received,
      ]);
      rows.set(ftCurrentTable, key, [principal, asset, received - sent]);
    }
    for (const asset of assets) {
      const { holders, mints, supply } = total(ledger.assets, asset);
      rows.add(assetTotalsTable, [asset, height, holders, mints, supply]);
    }
  },
};
