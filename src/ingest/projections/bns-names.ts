import { nameOperations } from '../../chain/names/bns-v1.ts';
import type { NameChange } from '../../chain/names/change.ts';
import type { BnsEvent } from '../../chain/names/event.ts';
import { formatBnsName } from '../../chain/names/name.ts';
import { columnOf } from '../../chain/print-fields.ts';
import { hash160 } from '../../codec/hash.ts';
import type { BatchNames } from '../rows/batch-names.ts';
import type { Projection, Rows } from '../rows/projection.ts';
import type { NameMemory } from './bns-memory.ts';
import {
  currentRow,
  historyRow,
  type NameState,
  nameHistoryTable,
  namesTable,
  primaryNamesTable,
  zonefilesTable,
} from './bns-state.ts';

/** Names of both versions: who owns each, its zonefile and its lease, after every change. NFT events decide on owners. */
export const bnsNames: Projection = {
  tables: [nameHistoryTable, primaryNamesTable],
  currents: [namesTable],
  restore: [
    `with touched as (
      select distinct h.name from name_history h where h.height > $1::int
    ), past as (
      select t.name, p.owner, p.lease_start, p.renewal, p.version, p.revoked
      from touched t
      left join lateral (
        select h.owner, h.lease_start, h.renewal, h.version, h.revoked
        from name_history h
        where h.name = t.name and h.height <= $1::int
        order by h.version desc, h.height desc, h.place desc, h.event_index desc
        limit 1
      ) p on true
    )
    merge into names c
    using past p on c.name = p.name
    when matched and p.owner is null then delete
    when matched and $2::int is not null then update set
      owner = p.owner,
      lease_start = p.lease_start,
      renewal = p.renewal,
      version = p.version,
      hidden = p.revoked or p.owner = 0`,
  ],
  derive: [
    `insert into names (owner, lease_start, renewal, version, hidden, name, namespace)
     select distinct on (h.name)
       h.owner, h.lease_start, h.renewal, h.version, h.revoked or h.owner = 0, h.name, h.namespace
     from name_history h
     order by h.name, h.version desc, h.height desc, h.place desc, h.event_index desc`,
  ],

  apply({ height, block, transactions, names }, { names: memory }, _totals, rows) {
    for (const transaction of transactions) {
      const events = transaction.naming;
      if (events.length === 0) continue;
      const { place } = transaction;
      new TransactionFold({ height, place, burnHeight: block.burn.height, memory, names, rows }).run(events);
    }
  },
};

type Where = {
  height: number;
  place: number;
  burnHeight: number;
  memory: NameMemory;
  names: BatchNames;
  rows: Rows;
};

/** What one transaction does to names, event by event. */
class TransactionFold {
  readonly #where: Where;
  /** Owners that NFT events of this transaction named, and that no row tells yet. */
  readonly #moved = new Map<NameState, number>();
  /** Owners of tokens whose name is not known yet. */
  readonly #minted = new Map<number, number>();
  readonly #told = new Map<NameState, string>();
  readonly #airdropped = new Set<number>();

  constructor(where: Where) {
    this.#where = where;
  }

  run(events: readonly BnsEvent[]): void {
    for (const event of events) {
      if (event.kind === 'name' && event.version === 2 && event.print.topic === 'new-airdrop') {
        this.#airdropped.add(columnOf(event.print.token));
      }
    }
    for (const event of events) this.#apply(event);
    // The contracts print with every move; should one not, the owner is right all the same.
    for (const [state, index] of this.#moved) {
      this.#tell(state, state.owner === 0 ? 'name-burn' : 'name-transfer', index);
    }
  }

  #apply(event: BnsEvent): void {
    const { memory, names, rows, height, burnHeight } = this.#where;
    switch (event.kind) {
      case 'owned':
        this.#own(event);
        break;
      case 'name':
        if (event.version === 1) this.#nameV1(event);
        else this.#nameV2(event);
        break;
      case 'renewed': {
        const state = memory.name(event.version, formatBnsName(event.name));
        state.leaseStart = event.version === 1 ? height : burnHeight;
        state.renewal = 0;
        if (state.owner === 0) state.owner = names.principal(event.sender);
        this.#tell(state, 'name-renewal', event.index);
        break;
      }
      case 'market': {
        const state = memory.named(columnOf(event.print.token));
        if (!state) break;
        state.price = event.print.price ?? null;
        this.#tell(state, marketChanges[event.print.action], event.index);
        break;
      }
      case 'resolver': {
        const state = memory.name(2, formatBnsName(event.print.name));
        const { zonefile, topic } = event.print;
        state.zonefileHash = zonefile && zonefile.length > 0 ? hash160(zonefile) : none;
        state.zonefileOwner = state.owner;
        state.revoked = topic === 'revoke-name';
        if (zonefile && zonefile.length > 0)
          rows.first(zonefilesTable, hexOf(state.zonefileHash), [state.zonefileHash, zonefile]);
        this.#tell(state, state.revoked ? 'name-revoke' : 'name-update', event.index);
        break;
      }
      case 'primary':
        this.#setPrimary(names.principal(event.owner), columnOf(event.token), event.index);
        break;
    }
  }

  #own(event: Extract<BnsEvent, { kind: 'owned' }>): void {
    const { memory, names } = this.#where;
    const key = (name: string | undefined) => (name === undefined ? 0 : names.principal(name));
    const owner = key(event.to);
    if (event.version === 1) {
      const state = memory.name(1, formatBnsName(event.name));
      state.owner = owner;
      this.#moved.set(state, event.index);
      return;
    }
    const token = columnOf(event.token);
    const from = key(event.from);
    if (from !== 0 && memory.primary(from) === token) this.#setPrimary(from, 0, event.index);
    if (owner !== 0 && (memory.primary(owner) === 0 || this.#airdropped.has(token))) {
      this.#setPrimary(owner, token, event.index);
    }
    const state = memory.named(token);
    if (!state) {
      this.#minted.set(token, owner);
      return;
    }
    state.owner = owner;
    this.#moved.set(state, event.index);
  }

  #nameV1({ print, index }: Extract<BnsEvent, { kind: 'name'; version: 1 }>): void {
    const { memory, names, height } = this.#where;
    const state = memory.name(1, formatBnsName(print.name));
    const { operation } = print;
    // An importer signs for others, so that the sender is the last to ask: the NFT, then what was known, then he.
    if (!this.#moved.has(state) && state.owner === 0) state.owner = names.principal(print.sender);
    if (operation === 'name-import') state.leaseStart = 0;
    else if (operation === 'name-register' || operation === 'name-renewal' || !state.known) state.leaseStart = height;
    state.zonefileHash = print.zonefileHash;
    state.zonefileOwner = state.owner;
    state.revoked = operation === 'name-revoke';
    this.#tell(state, operation, index);
  }

  #nameV2({ print, index }: Extract<BnsEvent, { kind: 'name'; version: 2 }>): void {
    const { memory, names, burnHeight } = this.#where;
    const state = memory.name(2, formatBnsName(print.name));
    const token = columnOf(print.token);
    const minted = this.#minted.get(token);
    memory.remember(token, state.name);
    state.token = token;
    if (print.topic === 'burn-name') state.owner = 0;
    else if (minted !== undefined) state.owner = minted;
    else if (!this.#moved.has(state) && print.owner !== undefined && !state.known) {
      state.owner = names.principal(print.owner);
    }
    this.#minted.delete(token);
    if (print.topic !== 'renew-name') state.price = null;
    if (print.topic === 'new-airdrop') {
      state.leaseStart = burnHeight;
      state.renewal = 0;
    } else if (print.renewal !== undefined) {
      state.leaseStart = 0;
      state.renewal = columnOf(print.renewal);
    }
    const change = print.topic === 'new-name' && print.imported ? 'name-import' : topicChanges[print.topic];
    // A purchase inside a takeover prints the one move twice.
    const telling = `${change} ${state.owner} ${state.renewal}`;
    if (this.#told.get(state) !== telling) this.#tell(state, change, index);
    this.#told.set(state, telling);
  }

  #setPrimary(owner: number, token: number, index: number): void {
    const { memory, rows, height, place } = this.#where;
    memory.setPrimary(owner, token);
    rows.add(primaryNamesTable, [owner, height, index, token, place]);
  }

  #tell(state: NameState, change: NameChange, index: number): void {
    const { memory, rows, height, place } = this.#where;
    state.known = true;
    state.status = statuses[change] ?? state.status;
    this.#moved.delete(state);
    rows.add(nameHistoryTable, historyRow(state, { height, place, index }, change));
    if (state.version === 1 && memory.name(2, state.name).known) return;
    rows.set(namesTable, state.name, currentRow(state));
  }
}

const none = new Uint8Array(0);
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const topicChanges = {
  'new-name': 'name-register',
  'new-airdrop': 'name-airdrop',
  'transfer-name': 'name-transfer',
  'renew-name': 'name-renewal',
  'burn-name': 'name-burn',
} as const satisfies Record<string, NameChange>;

const marketChanges = {
  'list-in-ustx': 'name-list',
  'unlist-in-ustx': 'name-unlist',
  'buy-in-ustx': 'name-purchase',
} as const satisfies Record<string, NameChange>;

/** The public status after a change, where it moves it. */
const statuses: Partial<Record<NameChange, number>> = {
  ...nameOperations,
  'name-airdrop': nameOperations['name-import'],
};
