import { nftKey } from '../../chain/tokens/nft-key.ts';
import type { Table } from '../../db/table.ts';
import { latestRow, rankedHolders } from '../rows/current-values.ts';
import type { HistoryTable } from '../rows/history-table.ts';
import type { Projection } from '../rows/projection.ts';
import { holding, holdingKey, type RunningTotal } from '../rows/running-total.ts';
import { loaded } from '../rows/running-totals.ts';
import type { CurrentTable } from '../rows/table-kinds.ts';
import { assetHoldersTable, assetTotals, assetTotalsTable } from './holders.ts';

const nftHistoryTable: HistoryTable = {
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
  key: ['asset', 'value'],
  order: ['height', 'place', 'event_index'],
};

const nftBalancesTable: HistoryTable = {
  name: 'nft_balances',
  columns: { principal: 'principal', asset: 'asset', height: 'int4', sent: 'int4', received: 'int4' },
  key: ['principal', 'asset'],
  order: ['height'],
};

export const nftCurrentTable: CurrentTable = {
  name: 'nft_current',
  columns: { asset: 'asset', owner: 'principal', height: 'int4', place: 'int2', value: 'bytea' },
  key: ['asset', 'value'],
};

const nftHoldersTable: Table = {
  name: 'nft_holders',
  columns: { asset: 'asset', principal: 'principal', balance: 'numeric' },
};

/** How many of a class a principal sent and received; both are 0 before the first. */
type NftTotals = { sent: number; received: number };

const nftTotals: RunningTotal<number, NftTotals> = {
  history: nftBalancesTable,
  values: ['sent', 'received'],
  ...holdingKey,
  initial: () => ({ sent: 0, received: 0 }),
  read: row => ({ sent: row.sent ?? 0, received: row.received ?? 0 }),
};

/** The key of one NFT. */
const instance = (asset: number, value: Uint8Array) =>
  `${asset}:${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')}`;

/** How often an NFT has moved. */
const nftMoves: RunningTotal<string, { seq: number }> = {
  history: nftHistoryTable,
  values: ['seq'],
  toColumns: key => {
    const colon = key.indexOf(':');
    return [Number(key.slice(0, colon)), Buffer.from(key.slice(colon + 1), 'latin1')];
  },
  toKey: row => instance(row.asset, row.value),
  initial: () => ({ seq: 0 }),
  read: row => ({ seq: row.seq }),
};

/** How many it has; undefined if it never had one. */
const balanceOf = ({ sent, received }: NftTotals) =>
  sent + received === 0 ? undefined : BigInt(received) - BigInt(sent);

const isNft = (kind: string) => kind === 'nft_transfer' || kind === 'nft_mint' || kind === 'nft_burn';

/** Every move of every NFT, its owner, and how many of a class an account has held; the holders of a class by that number. A burnt NFT has owner 0. */
export const nfts: Projection = {
  tables: [nftHistoryTable, nftBalancesTable, assetHoldersTable],
  currents: [
    latestRow({
      table: nftCurrentTable,
      history: nftHistoryTable,
      order: nftHistoryTable.order,
      values: { owner: 'h.recipient', height: 'h.height', place: 'h.place' },
    }),
    rankedHolders({
      holders: nftHoldersTable,
      history: nftBalancesTable,
      asset: 'n.asset',
      balance: 'coalesce(b.received, 0) - coalesce(b.sent, 0)',
    }),
  ],
  totals: [nftTotals, nftMoves, assetTotals],

  wants({ transactions }, want) {
    for (const { events } of transactions) {
      for (const { source, asset, sender, recipient, value } of events) {
        if (!isNft(source.kind)) continue;
        want(assetTotals, asset, 0);
        want(nftMoves, instance(asset, nftKey(value)), 0);
        if (sender) want(nftTotals, holding(sender, asset), sender);
        if (recipient) want(nftTotals, holding(recipient, asset), recipient);
      }
    }
  },

  apply({ height, transactions }, totals, _chain, rows) {
    const holdings = totals.of(nftTotals);
    const moves = totals.of(nftMoves);
    const byAsset = totals.of(assetTotals);
    const touched = new Map<number, { principal: number; asset: number; before: bigint | undefined }>();
    const assets = new Set<number>();
    const account = (principal: number, asset: number): NftTotals => {
      const key = holding(principal, asset);
      const own = loaded(holdings, key);
      if (!touched.has(key)) touched.set(key, { principal, asset, before: balanceOf(own) });
      return own;
    };
    const count = (principal: number, asset: number, side: 'sent' | 'received') => {
      const own = account(principal, asset);
      const held = own.received > own.sent;
      own[side]++;
      const holds = own.received > own.sent;
      if (holds !== held) loaded(byAsset, asset).holders += holds ? 1 : -1;
    };
    for (const tx of transactions) {
      for (const { source, asset, sender, recipient, index, value: whole } of tx.events) {
        if (!isNft(source.kind)) continue;
        const value = nftKey(whole);
        const key = instance(asset, value);
        const nft = loaded(moves, key);
        const all = loaded(byAsset, asset);
        assets.add(asset);
        nft.seq++;
        if (source.kind === 'nft_mint') {
          all.mints++;
          all.supply++;
        } else if (source.kind === 'nft_burn') all.supply--;
        if (sender) count(sender, asset, 'sent');
        if (recipient) count(recipient, asset, 'received');
        const mintSeq = source.kind === 'nft_mint' ? all.mints : 0;
        rows.add(nftHistoryTable, [asset, height, index, sender, recipient, nft.seq, mintSeq, tx.txPosition, value]);
        rows.set(nftCurrentTable, key, [asset, recipient, height, tx.txPosition, value]);
      }
    }
    for (const [key, { principal, asset, before }] of touched) {
      const own = loaded(holdings, key);
      rows.add(nftBalancesTable, [principal, asset, height, own.sent || null, own.received || null]);
      rows.rank(nftHoldersTable, asset, principal, before, balanceOf(own)!);
      if (before === undefined) rows.add(assetHoldersTable, [asset, height, principal]);
    }
    for (const asset of assets) {
      const { holders, mints, supply } = loaded(byAsset, asset);
      rows.add(assetTotalsTable, [asset, height, holders, mints, supply, holders]);
    }
  },
};
