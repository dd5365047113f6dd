import { formatBnsName } from '@cairn-stacks/codec/bns-name';
import { hash160 } from '@cairn-stacks/codec/hash';
import { nameOperations } from '../../chain/names/bns-v1.ts';
import type { NameChange } from '../../chain/names/change.ts';
import type { BnsEvent } from '../../chain/names/event.ts';
import { columnOf } from '../../chain/print-fields.ts';
import type { BatchNames } from '../rows/batch-names.ts';
import { latestRow } from '../rows/current-values.ts';
import type { Projection, Rows } from '../rows/projection.ts';
import { type NameStates, nameStates } from './bns-cache.ts';
import {
  currentRow,
  historyRow,
  type NameState,
  nameHistoryTable,
  namesTable,
  primaryNamesTable,
  zonefilesTable,
} from './bns-state.ts';

/** Names of both versions: owner, zonefile and lease of each after every change. NFT events decide on owners. */
export const bnsNames: Projection = {
  tables: [nameHistoryTable, primaryNamesTable],
  currents: [
    latestRow({
      table: namesTable,
      history: nameHistoryTable,
      order: ['version', 'height', 'place', 'event_index'],
      values: {
        owner: 'h.owner',
        lease_start: 'h.lease_start',
        renewal: 'h.renewal',
        version: 'h.version',
        hidden: 'h.revoked or h.owner = 0',
        namespace: 'h.namespace',
      },
    }),
  ],
  caches: [nameStates],

  apply({ height, block, transactions, names }, totals, _chain, rows) {
    const states = totals.cache(nameStates);
    for (const transaction of transactions) {
      const events = transaction.naming;
      if (events.length === 0) continue;
      const { txPosition } = transaction;
      new TransactionFold({ height, txPosition, burnHeight: block.burn.height, states, names, rows }).run(events);
    }
  },
};

type Where = {
  height: number;
  txPosition: number;
  burnHeight: number;
  states: NameStates;
  names: BatchNames;
  rows: Rows;
};

/** Applies the name events of one transaction in order. */
class TransactionFold {
  readonly #where: Where;
  /** Names whose owner an NFT event of this transaction changed, without a row yet; with the index of the event. */
  readonly #moved = new Map<NameState, number>();
  /** Owners of tokens whose name is not known yet. */
  readonly #minted = new Map<number, number>();
  readonly #recorded = new Map<NameState, string>();
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
      this.#record(state, state.owner === 0 ? 'name-burn' : 'name-transfer', index);
    }
  }

  #apply(event: BnsEvent): void {
    const { states, names, rows, height, burnHeight } = this.#where;
    switch (event.kind) {
      case 'owned':
        this.#own(event);
        break;
      case 'name':
        if (event.version === 1) this.#nameV1(event);
        else this.#nameV2(event);
        break;
      case 'renewed': {
        const state = states.name(event.version, formatBnsName(event.name));
        state.leaseStart = event.version === 1 ? height : burnHeight;
        state.renewal = 0;
        if (state.owner === 0) state.owner = names.principal(event.sender);
        this.#record(state, 'name-renewal', event.index);
        break;
      }
      case 'market': {
        const state = states.named(columnOf(event.print.token));
        if (!state) break;
        state.price = event.print.price ?? null;
        this.#record(state, marketChanges[event.print.action], event.index);
        break;
      }
      case 'resolver': {
        const state = states.name(2, formatBnsName(event.print.name));
        const { zonefile, topic } = event.print;
        state.zonefileHash = zonefile && zonefile.length > 0 ? hash160(zonefile) : none;
        state.zonefileOwner = state.owner;
        state.revoked = topic === 'revoke-name';
        if (zonefile && zonefile.length > 0)
          rows.first(zonefilesTable, hexOf(state.zonefileHash), [state.zonefileHash, zonefile]);
        this.#record(state, state.revoked ? 'name-revoke' : 'name-update', event.index);
        break;
      }
      case 'primary':
        this.#setPrimary(names.principal(event.owner), columnOf(event.token), event.index);
        break;
    }
  }

  #own(event: Extract<BnsEvent, { kind: 'owned' }>): void {
    const { states, names } = this.#where;
    const key = (name: string | undefined) => (name === undefined ? 0 : names.principal(name));
    const owner = key(event.to);
    if (event.version === 1) {
      const state = states.name(1, formatBnsName(event.name));
      state.owner = owner;
      this.#moved.set(state, event.index);
      return;
    }
    const token = columnOf(event.token);
    const from = key(event.from);
    if (from !== 0 && states.primary(from) === token) this.#setPrimary(from, 0, event.index);
    if (owner !== 0 && (states.primary(owner) === 0 || this.#airdropped.has(token))) {
      this.#setPrimary(owner, token, event.index);
    }
    const state = states.named(token);
    if (!state) {
      this.#minted.set(token, owner);
      return;
    }
    state.owner = owner;
    this.#moved.set(state, event.index);
  }

  #nameV1({ print, index }: Extract<BnsEvent, { kind: 'name'; version: 1 }>): void {
    const { states, names, height } = this.#where;
    const state = states.name(1, formatBnsName(print.name));
    const { operation } = print;
    // An importer signs for others, so the sender counts last: first the NFT, then the known owner.
    if (!this.#moved.has(state) && state.owner === 0) state.owner = names.principal(print.sender);
    if (operation === 'name-import') state.leaseStart = 0;
    else if (operation === 'name-register' || operation === 'name-renewal' || !state.known) state.leaseStart = height;
    state.zonefileHash = print.zonefileHash;
    state.zonefileOwner = state.owner;
    state.revoked = operation === 'name-revoke';
    this.#record(state, operation, index);
  }

  #nameV2({ print, index }: Extract<BnsEvent, { kind: 'name'; version: 2 }>): void {
    const { states, names, burnHeight } = this.#where;
    const state = states.name(2, formatBnsName(print.name));
    const token = columnOf(print.token);
    const minted = this.#minted.get(token);
    states.setTokenName(token, state.name);
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
    const recorded = `${change} ${state.owner} ${state.renewal}`;
    if (this.#recorded.get(state) !== recorded) this.#record(state, change, index);
    this.#recorded.set(state, recorded);
  }

  #setPrimary(owner: number, token: number, index: number): void {
    const { states, rows, height, txPosition } = this.#where;
    states.setPrimary(owner, token);
    rows.add(primaryNamesTable, [owner, height, index, token, txPosition]);
  }

  #record(state: NameState, change: NameChange, index: number): void {
    const { states, rows, height, txPosition } = this.#where;
    state.known = true;
    state.status = statuses[change] ?? state.status;
    this.#moved.delete(state);
    rows.add(nameHistoryTable, historyRow(state, { height, txPosition, index }, change));
    if (state.version === 1 && states.name(2, state.name).known) return;
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
