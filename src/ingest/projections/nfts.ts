import { nftKey } from '../../chain/tokens/nft-key.ts';
import type { Table } from '../../db/table.ts';
import type { CurrentTable, Projection } from '../rows/projection.ts';
import { holding, instance, type NftTotals, total } from '../rows/running-totals.ts';
import { assetTotalsTable } from './holders.ts';

export const nftHistoryTable: Table = {
  name: 'nft_history',
  columns: {
    asset: 'asset',
    height: 'int4',
    event_index: 'int4',
    sender: 'principal',
    recipient: 'principal',
    seq: 'int4',
    mint_seq: 'int4',
    place: 'int2',
    value: 'bytea',
  },
};

export const nftBalancesTable: Table = {
  name: 'nft_balances',
  columns: { principal: 'principal', asset: 'asset', height: 'int4', sent: 'int4', received: 'int4' },
};

export const nftCurrentTable: CurrentTable = {
  name: 'nft_current',
  columns: { asset: 'asset', owner: 'principal', height: 'int4', place: 'int2', value: 'bytea' },
  key: ['asset', 'value'],
};

/** Every move of every NFT, its owner, and how many of a class an account has held. A burnt NFT has owner 0. */
export const nfts: Projection = {
  tables: [nftHistoryTable, nftBalancesTable],
  currents: [nftCurrentTable],
  restore: [
    `with touched as (
      select distinct h.asset, h.value from nft_history h where h.height > $1::int
    ), past as (
      select t.asset, t.value, p.recipient, p.height, p.place
      from touched t
      left join lateral (
        select h.recipient, h.height, h.place
        from nft_history h
        where h.asset = t.asset and h.value = t.value and h.height <= $1::int
        order by h.height desc, h.place desc, h.event_index desc
        limit 1
      ) p on true
    )
    merge into nft_current c
    using past p on c.asset = p.asset and c.value = p.value
    when matched and p.height is null then delete
    when matched and $2::int is not null then update set owner = p.recipient, height = p.height, place = p.place`,
  ],
  derive: [
    `insert into nft_current (asset, owner, height, place, value)
     select distinct on (h.asset, h.value) h.asset, h.recipient, h.height, h.place, h.value
     from nft_history h
     order by h.asset, h.value, h.height desc, h.place desc, h.event_index desc`,
  ],

  apply({ height, transactions }, ledger, _totals, rows) {
    const touched = new Map<number, [principal: number, asset: number]>();
    const assets = new Set<number>();
    const account = (principal: number, asset: number): NftTotals => {
      const key = holding(principal, asset);
      touched.set(key, [principal, asset]);
      return total(ledger.nftHeld, key);
    };
    const count = (principal: number, asset: number, side: 'sent' | 'received') => {
      const totals = account(principal, asset);
      const held = totals.received > totals.sent;
      totals[side]++;
      const holds = totals.received > totals.sent;
      if (holds !== held) total(ledger.assets, asset).holders += holds ? 1 : -1;
    };
    for (const tx of transactions) {
      for (const { source, asset, sender, recipient, index, value: whole } of tx.events) {
        if (source.kind !== 'nft_transfer' && source.kind !== 'nft_mint' && source.kind !== 'nft_burn') continue;
        const value = nftKey(whole);
        const key = instance(asset, value);
        const nft = total(ledger.nft, key);
        const totals = total(ledger.assets, asset);
        assets.add(asset);
        nft.owner = recipient;
        nft.seq++;
        if (source.kind === 'nft_mint') {
          totals.mints++;
          totals.supply++;
        } else if (source.kind === 'nft_burn') totals.supply--;
        if (sender) count(sender, asset, 'sent');
        if (recipient) count(recipient, asset, 'received');
        const mintSeq = source.kind === 'nft_mint' ? totals.mints : 0;
        rows.add(nftHistoryTable, [asset, height, index, sender, recipient, nft.seq, mintSeq, tx.place, value]);
        rows.set(nftCurrentTable, key, [asset, recipient, height, tx.place, value]);
      }
    }
    for (const [key, [principal, asset]] of touched) {
      const { sent, received } = total(ledger.nftHeld, key);
      rows.add(nftBalancesTable, [principal, asset, height, sent || null, received || null]);
    }
    for (const asset of assets) {
      const { holders, mints, supply } = total(ledger.assets, asset);
      rows.add(assetTotalsTable, [asset, height, holders, mints, supply, holders]);
    }
  },
};
