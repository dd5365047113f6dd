import { formatBnsName } from '@cairn-stacks/codec/bns-name';
import type { BnsEvent } from '../../chain/names/event.ts';
import { columnOf } from '../../chain/print-fields.ts';
import type { Sql } from '../../db/client.ts';
import { Generations } from '../rows/generations.ts';
import type { ResolvedBlock } from '../rows/resolved-block.ts';
import { integerKey, type RunningTotal, readTotals } from '../rows/running-total.ts';
import type { StateCache, StateCacheType } from '../rows/running-totals.ts';
import { type NameState, primaryNamesTable, unknownName } from './bns-state.ts';

const cachedNames = 20_000;

type HistoryRow = Omit<NameState, 'known' | 'leaseStart' | 'zonefileOwner' | 'zonefileHash' | 'price'> & {
  lease_start: number;
  zonefile_owner: number;
  zonefile_hash: Buffer;
  price: string | null;
};

/** The token of each account's primary name, 0 when it has none. */
const primaryNames: RunningTotal<number, number> = {
  history: primaryNamesTable,
  values: ['token'],
  ...integerKey('owner'),
  initial: () => 0,
  read: row => row.token,
};

/** The writer's cache of names: the state of each that a batch changes, in both versions, and of primary names. */
export class NameStates implements StateCache {
  readonly #names = new Generations<string, NameState>(cachedNames);
  /** Tokens of version 2 and their names; '' where no name is known. */
  readonly #tokens = new Generations<number, string>(cachedNames);
  readonly #primaries = new Generations<number, number>(cachedNames);

  name(version: 1 | 2, name: string): NameState {
    const state = this.#names.get(keyOf(version, name));
    if (!state) throw new Error(`the state of the name ${name} was not loaded`);
    return state;
  }

  /** The name of a token; undefined where its mint was not seen. */
  named(token: number): NameState | undefined {
    const name = this.#tokens.get(token);
    return name ? this.name(2, name) : undefined;
  }

  setTokenName(token: number, name: string): void {
    this.#tokens.set(token, name);
  }

  /** The token of an account's primary name, 0 when it has none. */
  primary(owner: number): number {
    return this.#primaries.get(owner) ?? 0;
  }

  setPrimary(owner: number, token: number): void {
    this.#primaries.set(owner, token);
  }

  /** Loads what the blocks need and the cache lacks, as it stood at `height`. */
  async load(sql: Sql, blocks: readonly ResolvedBlock[], height: number): Promise<void> {
    const names = new Set<string>();
    const tokens = new Set<number>();
    const owners = new Set<number>();
    for (const { transactions, names: keys } of blocks) {
      for (const { naming } of transactions) {
        for (const event of naming) {
          for (const name of namesIn(event)) names.add(name);
          for (const token of tokensIn(event)) tokens.add(token);
          for (const owner of ownersIn(event)) owners.add(keys.principal(owner));
        }
      }
    }
    if (tokens.size > 0) for (const name of await this.#loadTokens(sql, tokens, height)) names.add(name);
    if (names.size > 0) await this.#loadNames(sql, names, height);
    if (owners.size > 0) await this.#loadPrimaries(sql, owners, height);
  }

  /** Names of the tokens, from the cache or from the tables. */
  async #loadTokens(sql: Sql, tokens: Set<number>, height: number): Promise<string[]> {
    const unknown = [...tokens].filter(token => this.#tokens.get(token) === undefined);
    if (unknown.length > 0) {
      const rows = await sql<{ token: number; name: string }[]>`
        select k.token, h.name
        from unnest(${unknown}::int[]) as k (token)
        cross join lateral (
          select h.name
          from name_history h
          where h.token = k.token and h.version = 2 and h.height <= ${height}
          order by h.height desc
          limit 1
        ) h
      `;
      for (const token of unknown) this.#tokens.set(token, '');
      for (const { token, name } of rows) this.#tokens.set(token, name);
    }
    return [...tokens].flatMap(token => this.#tokens.get(token) || []);
  }

  async #loadNames(sql: Sql, names: Set<string>, height: number): Promise<void> {
    const unknown = [...names].filter(name => !this.#names.get(keyOf(1, name)) || !this.#names.get(keyOf(2, name)));
    if (unknown.length === 0) return;
    for (const name of unknown) {
      for (const version of [1, 2] as const) this.#names.set(keyOf(version, name), unknownName(version, name));
    }
    const rows = await sql<HistoryRow[]>`
      select h.owner, h.zonefile_owner, h.lease_start, h.renewal, h.token, h.version, h.status, h.revoked, h.price,
        h.zonefile_hash, h.name, h.namespace
      from unnest(${unknown}::text[]) as k (name)
      cross join unnest(array[1, 2]) as v (version)
      cross join lateral (
        select h.*
        from name_history h
        where h.name = k.name and h.version = v.version and h.height <= ${height}
        order by h.height desc, h.place desc, h.event_index desc
        limit 1
      ) h
      union all
      select g.owner, g.owner, 1, 0, 0, 1, 2, false, null, g.zonefile_hash, g.name, g.namespace
      from unnest(${unknown}::text[]) as k (name)
      join genesis_names g on g.name = k.name
    `;
    for (const row of rows) {
      const key = keyOf(row.version, row.name);
      // A name in the history has replaced the genesis name.
      if (!this.#names.get(key)?.known) this.#names.set(key, stateOf(row));
    }
  }

  async #loadPrimaries(sql: Sql, owners: Set<number>, height: number): Promise<void> {
    const unknown = [...owners].filter(owner => this.#primaries.get(owner) === undefined);
    if (unknown.length === 0) return;
    for (const owner of unknown) this.#primaries.set(owner, 0);
    for (const [owner, token] of await readTotals(sql, primaryNames, unknown, height))
      this.#primaries.set(owner, token);
  }

  /** Called between batches. */
  rotate(): void {
    for (const cached of [this.#names, this.#tokens, this.#primaries]) cached.rotate();
  }

  clear(): void {
    for (const cached of [this.#names, this.#tokens, this.#primaries]) cached.clear();
  }
}

/** The cache of a writer. */
export const nameStates: StateCacheType<NameStates> = () => new NameStates();

const keyOf = (version: 1 | 2, name: string) => `${version}:${name}`;

const stateOf = (row: HistoryRow): NameState => ({
  name: row.name,
  namespace: row.namespace,
  version: row.version,
  known: true,
  owner: row.owner,
  zonefileOwner: row.zonefile_owner,
  leaseStart: row.lease_start,
  renewal: row.renewal,
  token: row.token,
  status: row.status,
  revoked: row.revoked,
  price: row.price === null ? null : BigInt(row.price),
  zonefileHash: row.zonefile_hash,
});

function namesIn(event: BnsEvent): string[] {
  if (event.kind === 'name' || event.kind === 'resolver') return [formatBnsName(event.print.name)];
  if (event.kind === 'renewed' || (event.kind === 'owned' && event.version === 1)) return [formatBnsName(event.name)];
  return [];
}

function tokensIn(event: BnsEvent): number[] {
  if (event.kind === 'market') return [columnOf(event.print.token)];
  if (event.kind === 'name' && event.version === 2) return [columnOf(event.print.token)];
  if (event.kind === 'primary' || (event.kind === 'owned' && event.version === 2)) return [columnOf(event.token)];
  return [];
}

function ownersIn(event: BnsEvent): string[] {
  if (event.kind === 'primary') return [event.owner];
  if (event.kind !== 'owned' || event.version === 1) return [];
  return [event.from, event.to].filter(owner => owner !== undefined);
}
