import { nftKey } from '../../chain/tokens/nft-key.ts';
import type { Sql } from '../../db/client.ts';
import { NameMemory } from '../projections/bns-memory.ts';
import { stxAsset } from '../projections/holders.ts';
import { Generations } from './generations.ts';
import type { Interner } from './interner.ts';
import type { PlacedBlock } from './resolved-block.ts';
import { transferSides } from './transfer-sides.ts';

/** Totals of an account; `known` once a block has touched it. */
export type StxTotals = { sent: bigint; received: bigint; fees: bigint; rewards: bigint; known: boolean };
export type FtTotals = { sent: bigint; received: bigint; known: boolean };
export type NftTotals = { sent: number; received: number };
export type NftState = { owner: number; seq: number };
/** `holders` are all who were ever touched (of NFTs, who has some), `funded` those with more than nothing. */
export type AssetTotals = { holders: number; mints: number; supply: bigint; funded: number };
export type MiningTotals = { rewards: number; coinbase: bigint; fees: bigint };
export type HistoryTotals = { seq: number; direct: number; events: number; inbound: number };

const remembered = 100_000;

/** The keys of running totals that a batch will change and memory lacks. */
class Wanted {
  readonly stx = new Set<number>();
  readonly ft = new Map<number, [principal: number, asset: number]>();
  readonly nftHeld = new Map<number, [principal: number, asset: number]>();
  readonly nft = new Map<string, [asset: number, value: Uint8Array]>();
  readonly assets = new Set<number>();
  readonly history = new Set<number>();
  readonly logs = new Set<number>();
  readonly transfers = new Map<number, [principal: number, asset: number]>();
  readonly mining = new Set<number>();
}

const noStx = (): StxTotals => ({ sent: 0n, received: 0n, fees: 0n, rewards: 0n, known: false });
const noFt = (): FtTotals => ({ sent: 0n, received: 0n, known: false });
const noNftHeld = (): NftTotals => ({ sent: 0, received: 0 });
const noNft = (): NftState => ({ owner: 0, seq: 0 });
const noAsset = (): AssetTotals => ({ holders: 0, mints: 0, supply: 0n, funded: 0 });
const noHistory = (): HistoryTotals => ({ seq: 0, direct: 0, events: 0, inbound: 0 });
const noLog = () => ({ total: 0 });
const noMining = (): MiningTotals => ({ rewards: 0, coinbase: 0n, fees: 0n });

/**
 * The writer's memory of running totals: what each account, token and contract stood at after the last block. A total not
 * in memory is one index seek; all seeks of a batch go out together. Cleared after a rollback or a failed transaction.
 */
export class Ledger {
  readonly stx: Generations<number, StxTotals>;
  readonly ft: Generations<number, FtTotals>;
  readonly nftHeld: Generations<number, NftTotals>;
  readonly nft: Generations<string, NftState>;
  readonly assets: Generations<number, AssetTotals>;
  readonly history: Generations<number, HistoryTotals>;
  readonly logs: Generations<number, { total: number }>;
  readonly transfers: Generations<number, { total: number }>;
  readonly mining: Generations<number, MiningTotals>;
  readonly names = new NameMemory();

  /** `whole` where no block has been folded yet: what memory lacks is then zero, until it has to forget. */
  constructor(whole: boolean) {
    this.stx = new Generations(remembered, whole);
    this.ft = new Generations(remembered, whole);
    this.nftHeld = new Generations(remembered, whole);
    this.nft = new Generations(remembered, whole);
    this.assets = new Generations(remembered, whole);
    this.history = new Generations(remembered, whole);
    this.logs = new Generations(remembered, whole);
    this.transfers = new Generations(remembered, whole);
    this.mining = new Generations(remembered, whole);
  }

  /** Loads what the blocks need and memory lacks, as it stood at `height`. */
  async load(sql: Sql, blocks: PlacedBlock[], names: Interner, height: number): Promise<void> {
    const wanted = this.#wanted(blocks, names);
    await Promise.all([
      this.#loadStx(sql, [...wanted.stx], height),
      this.#loadFt(sql, [...wanted.ft.values()], height),
      this.#loadNftHeld(sql, [...wanted.nftHeld.values()], height),
      this.#loadNft(sql, [...wanted.nft.values()], height),
      this.#loadAssets(sql, [...wanted.assets], height),
      this.#loadHistory(sql, [...wanted.history], height),
      this.#loadLogs(sql, [...wanted.logs], height),
      this.#loadTransfers(sql, [...wanted.transfers.values()], height),
      this.#loadMining(sql, [...wanted.mining], height),
      this.names.load(sql, blocks, height),
    ]);
  }

  /** Gives every total that the blocks touch a value, and lists those that the tables may know better. */
  #wanted(blocks: PlacedBlock[], names: Interner): Wanted {
    const wanted = new Wanted();
    if (lacks(this.assets, stxAsset, noAsset, false)) wanted.assets.add(stxAsset);
    const account = (id: number) => {
      if (id === 0) return;
      const fresh = names.isFresh(id);
      if (lacks(this.stx, id, noStx, fresh)) wanted.stx.add(id);
      if (lacks(this.history, id, noHistory, fresh)) wanted.history.add(id);
    };
    const holder = (principal: number, asset: number, fungible: boolean) => {
      if (principal === 0) return;
      const key = holding(principal, asset);
      const fresh = names.isFresh(principal);
      if (fungible) {
        if (lacks(this.ft, key, noFt, fresh)) wanted.ft.set(key, [principal, asset]);
      } else if (lacks(this.nftHeld, key, noNftHeld, fresh)) wanted.nftHeld.set(key, [principal, asset]);
    };
    for (const block of blocks) {
      for (const tx of block.transactions) {
        account(tx.sender);
        account(tx.sponsor);
        account(tx.target);
        for (const event of tx.events) {
          account(event.sender);
          account(event.recipient);
          for (const { principal, asset } of transferSides(event)) {
            const key = holding(principal, asset);
            const fresh = names.isFresh(principal);
            if (lacks(this.transfers, key, noLog, fresh)) wanted.transfers.set(key, [principal, asset]);
          }
          const kind = event.source.kind;
          const nft = kind.startsWith('nft_');
          if (kind === 'print') {
            if (lacks(this.logs, event.asset, noLog, false)) wanted.logs.add(event.asset);
          } else if (nft || kind.startsWith('ft_')) {
            if (lacks(this.assets, event.asset, noAsset, false)) wanted.assets.add(event.asset);
            holder(event.sender, event.asset, !nft);
            holder(event.recipient, event.asset, !nft);
            if (!nft) continue;
            const value = nftKey(event.value);
            const key = instance(event.asset, value);
            if (lacks(this.nft, key, noNft, false)) wanted.nft.set(key, [event.asset, value]);
          }
        }
      }
      for (const { recipient } of block.rewards) {
        account(recipient);
        if (lacks(this.mining, recipient, noMining, names.isFresh(recipient))) wanted.mining.add(recipient);
      }
    }
    return wanted;
  }

  async #loadStx(sql: Sql, ids: number[], height: number): Promise<void> {
    if (ids.length === 0) return;
    const rows = await sql<{ id: number; sent: string; received: string; fees: string; rewards: string }[]>`
      select k.id, coalesce(b.sent, 0) as sent, coalesce(b.received, 0) as received,
        coalesce(b.fees, 0) as fees, coalesce(b.rewards, 0) as rewards
      from unnest(${ids}::int[]) as k (id)
      cross join lateral (
        select b.sent, b.received, b.fees, b.rewards
        from stx_balances b
        where b.principal = k.id and b.height <= ${height}
        order by b.height desc
        limit 1
      ) b
    `;
    for (const r of rows) {
      this.stx.set(r.id, {
        sent: BigInt(r.sent),
        received: BigInt(r.received),
        fees: BigInt(r.fees),
        rewards: BigInt(r.rewards),
        known: true,
      });
    }
  }

  async #loadFt(sql: Sql, keys: [number, number][], height: number): Promise<void> {
    if (keys.length === 0) return;
    const rows = await sql<{ principal: number; asset: number; sent: string; received: string }[]>`
      select k.principal, k.asset, coalesce(b.sent, 0) as sent, coalesce(b.received, 0) as received
      from unnest(${keys.map(k => k[0])}::int[], ${keys.map(k => k[1])}::int[]) as k (principal, asset)
      cross join lateral (
        select b.sent, b.received
        from ft_balances b
        where b.principal = k.principal and b.asset = k.asset and b.height <= ${height}
        order by b.height desc
        limit 1
      ) b
    `;
    for (const r of rows) {
      this.ft.set(holding(r.principal, r.asset), { sent: BigInt(r.sent), received: BigInt(r.received), known: true });
    }
  }

  async #loadNftHeld(sql: Sql, keys: [number, number][], height: number): Promise<void> {
    if (keys.length === 0) return;
    const rows = await sql<{ principal: number; asset: number; sent: number; received: number }[]>`
      select k.principal, k.asset, coalesce(b.sent, 0) as sent, coalesce(b.received, 0) as received
      from unnest(${keys.map(k => k[0])}::int[], ${keys.map(k => k[1])}::int[]) as k (principal, asset)
      cross join lateral (
        select b.sent, b.received
        from nft_balances b
        where b.principal = k.principal and b.asset = k.asset and b.height <= ${height}
        order by b.height desc
        limit 1
      ) b
    `;
    for (const r of rows) this.nftHeld.set(holding(r.principal, r.asset), { sent: r.sent, received: r.received });
  }

  async #loadNft(sql: Sql, keys: [number, Uint8Array][], height: number): Promise<void> {
    if (keys.length === 0) return;
    const rows = await sql<{ asset: number; value: Buffer; recipient: number; seq: number }[]>`
      select k.asset, decode(k.hex, 'hex') as value, h.recipient, h.seq
      from unnest(${keys.map(k => k[0])}::int[], ${keys.map(k => Buffer.from(k[1]).toString('hex'))}::text[]) as k (asset, hex)
      cross join lateral (
        select h.recipient, h.seq
        from nft_history h
        where h.asset = k.asset and h.value = decode(k.hex, 'hex') and h.height <= ${height}
        order by h.height desc, h.place desc, h.event_index desc
        limit 1
      ) h
    `;
    for (const r of rows) this.nft.set(instance(r.asset, r.value), { owner: r.recipient, seq: r.seq });
  }

  async #loadAssets(sql: Sql, ids: number[], height: number): Promise<void> {
    if (ids.length === 0) return;
    const rows = await sql<{ id: number; holders: number; mints: number; supply: string; funded: number }[]>`
      select k.id, t.holders, t.mints, t.supply, t.funded
      from unnest(${ids}::int[]) as k (id)
      cross join lateral (
        select t.holders, t.mints, t.supply, t.funded
        from asset_totals t
        where t.asset = k.id and t.height <= ${height}
        order by t.height desc
        limit 1
      ) t
    `;
    for (const { id, holders, mints, supply, funded } of rows)
      this.assets.set(id, { holders, mints, supply: BigInt(supply), funded });
  }

  async #loadHistory(sql: Sql, ids: number[], height: number): Promise<void> {
    if (ids.length === 0) return;
    const rows = await sql<{ id: number; seq: number; direct_seq: number; event_seq: number; inbound_seq: number }[]>`
      select k.id, p.seq, p.direct_seq, p.event_seq, p.inbound_seq
      from unnest(${ids}::int[]) as k (id)
      cross join lateral (
        select p.seq, p.direct_seq, p.event_seq, p.inbound_seq
        from principal_transactions p
        where p.principal = k.id and p.height <= ${height}
        order by p.height desc, p.place desc
        limit 1
      ) p
    `;
    for (const r of rows)
      this.history.set(r.id, { seq: r.seq, direct: r.direct_seq, events: r.event_seq, inbound: r.inbound_seq });
  }

  async #loadLogs(sql: Sql, ids: number[], height: number): Promise<void> {
    if (ids.length === 0) return;
    const rows = await sql<{ id: number; total: number }[]>`
      select k.id, t.total
      from unnest(${ids}::int[]) as k (id)
      cross join lateral (
        select t.total
        from contract_log_totals t
        where t.contract = k.id and t.height <= ${height}
        order by t.height desc
        limit 1
      ) t
    `;
    for (const r of rows) this.logs.set(r.id, { total: r.total });
  }

  async #loadTransfers(sql: Sql, keys: [number, number][], height: number): Promise<void> {
    if (keys.length === 0) return;
    const rows = await sql<{ principal: number; asset: number; seq: number }[]>`
      select k.principal, k.asset, t.seq
      from unnest(${keys.map(k => k[0])}::int[], ${keys.map(k => k[1])}::int[]) as k (principal, asset)
      cross join lateral (
        select t.seq
        from transfers t
        where t.principal = k.principal and t.asset = k.asset and t.height <= ${height}
        order by t.height desc, t.place desc, t.event_index desc
        limit 1
      ) t
    `;
    for (const r of rows) this.transfers.set(holding(r.principal, r.asset), { total: r.seq });
  }

  async #loadMining(sql: Sql, ids: number[], height: number): Promise<void> {
    if (ids.length === 0) return;
    const rows = await sql<{ id: number; rewards: number; coinbase: string; fees: string }[]>`
      select k.id, t.rewards, t.coinbase, t.fees
      from unnest(${ids}::int[]) as k (id)
      cross join lateral (
        select t.rewards, t.coinbase, t.fees
        from miner_reward_totals t
        where t.recipient = k.id and t.height <= ${height}
        order by t.height desc
        limit 1
      ) t
    `;
    for (const r of rows)
      this.mining.set(r.id, { rewards: r.rewards, coinbase: BigInt(r.coinbase), fees: BigInt(r.fees) });
  }

  #memories() {
    const { stx, ft, nftHeld, nft, assets, history, logs, transfers, mining, names } = this;
    return [stx, ft, nftHeld, nft, assets, history, logs, transfers, mining, names];
  }

  /** Called between batches. */
  turn(): void {
    for (const memory of this.#memories()) memory.turn();
  }

  clear(): void {
    for (const memory of this.#memories()) memory.clear();
  }
}

/** The key of what a principal holds of an asset: exact for 4 million assets and 2^31 principals. */
export const holding = (principal: number, asset: number) => asset * 0x8000_0000 + principal;

/** The key of one NFT. */
export const instance = (asset: number, value: Uint8Array) =>
  `${asset}:${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')}`;

/** Gives a key that memory lacks its first value; true where the tables have to be asked for another. */
function lacks<K, V>(memory: Generations<K, V>, key: K, first: () => V, fresh: boolean): boolean {
  if (memory.get(key) !== undefined) return false;
  memory.set(key, first());
  return !fresh && !memory.whole;
}

/** A total that the batch was told to load; its absence is a bug in the list of keys. */
export function total<K, V>(memory: Generations<K, V>, key: K): V {
  const value = memory.get(key);
  if (value === undefined) throw new Error(`the running total of ${String(key)} was not loaded`);
  return value;
}
