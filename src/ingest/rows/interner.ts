import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { Sql } from '../../db/client.ts';
import type { Row, Table } from '../../db/table.ts';
import { Generations } from './generations.ts';
import type { UsedNames } from './used-names.ts';

export const principalsTable: Table = { name: 'principals', columns: { id: 'int4', name: 'bytea' } };
export const assetsTable: Table = { name: 'assets', columns: { id: 'int4', contract: 'principal', name: 'text' } };
export const functionsTable: Table = { name: 'functions', columns: { id: 'int4', name: 'text' } };

const cachedNames = 200_000;

/** Names that got keys, the first one this key and each the next one. */
type NewKeys = { first: number; names: readonly string[] };
const noKeys: NewKeys = { first: 0, names: [] };

/** Gives each name an integer key. Keys are cached, so a block costs one look-up for its unknown names. */
class Names {
  #keys: Generations<string, number>;
  readonly #limit: number;
  readonly #table: string;
  #next: number | undefined;

  constructor(table: string, limit: number) {
    this.#table = table;
    this.#limit = limit;
    this.#keys = new Generations(limit);
  }

  get(name: string): number | undefined {
    return this.#keys.get(name);
  }

  set(name: string, key: number): void {
    this.#keys.set(name, key);
  }

  /** Gives every name a key and returns those that are new; `find` sets the keys that the table has. */
  async intern(sql: Sql, names: Iterable<string>, find: (unknown: string[]) => Promise<void>): Promise<NewKeys> {
    const unknown: string[] = [];
    for (const name of names) if (this.#keys.get(name) === undefined) unknown.push(name);
    if (unknown.length === 0) return noKeys;
    const first = this.#next ?? (await this.#begin(sql));
    if (!this.#keys.complete) await find(unknown);
    const created = unknown.filter(name => this.#keys.get(name) === undefined);
    created.forEach((name, i) => {
      this.#keys.set(name, first + i);
    });
    this.#next = first + created.length;
    return { first, names: created };
  }

  /** The first free key; where the table is empty, the cache is complete. */
  async #begin(sql: Sql): Promise<number> {
    const [row] = await sql<{ next: number }[]>`select coalesce(max(id), 0) + 1 as next from ${sql(this.#table)}`;
    if (row!.next === 1) this.#keys = new Generations(this.#limit, true);
    return row!.next;
  }

  rotate(): void {
    this.#keys.rotate();
  }
}

/** New rows of the interning tables; they commit with the batch that used them. */
export type NewNames = { principals: Iterable<Row>; assets: Row[]; functions: Row[] };

/** The writer's cache of interned names. Key 0 means "none" in every table. */
export class Interner {
  readonly #principals: Names;
  readonly #assets: Names;
  readonly #functions: Names;
  /** Principals that the batch in hand saw first: nothing can be stored for them yet. */
  #fresh = noKeys;

  /** `limit` is how many names of each kind stay cached. */
  constructor(limit = cachedNames) {
    this.#principals = new Names('principals', limit);
    this.#assets = new Names('assets', limit);
    this.#functions = new Names('functions', limit);
  }

  /** Makes the keys of all names known and returns the rows that are new. */
  async resolve(sql: Sql, { principals, assets, functions }: UsedNames): Promise<NewNames> {
    for (const asset of assets) principals.add(contractOf(asset));
    this.#fresh = await this.#principals.intern(sql, principals, names => this.#findPrincipals(sql, names));
    const newAssets = await this.#assets.intern(sql, assets, names => this.#findAssets(sql, names));
    const newFunctions = await this.#functions.intern(sql, functions, names => this.#findFunctions(sql, names));
    return {
      // A genesis has hundreds of thousands: their bytes are made as they are written.
      principals: principalRows(this.#fresh),
      assets: newAssets.names.map((asset, i) => [
        newAssets.first + i,
        this.principal(contractOf(asset)),
        nameOf(asset),
      ]),
      functions: newFunctions.names.map((name, i) => [newFunctions.first + i, name]),
    };
  }

  async #findPrincipals(sql: Sql, names: string[]): Promise<void> {
    const bytes = new Map(names.map(name => [Buffer.from(principalToBytes(name)).toString('hex'), name]));
    const found = await sql<{ id: number; name: Buffer }[]>`
      select p.id, p.name
      from unnest(${[...bytes.keys()]}::text[]) as u (hex)
      join principals p on p.name = decode(u.hex, 'hex')
    `;
    for (const row of found) this.#principals.set(bytes.get(row.name.toString('hex'))!, row.id);
  }

  async #findAssets(sql: Sql, assets: string[]): Promise<void> {
    const contracts = assets.map(asset => this.principal(contractOf(asset)));
    const found = await sql<{ id: number; nth: number }[]>`
      select a.id, u.nth::int
      from unnest(${contracts}::int[], ${assets.map(nameOf)}::text[]) with ordinality as u (contract, name, nth)
      join assets a on a.contract = u.contract and a.name = u.name
    `;
    for (const { id, nth } of found) this.#assets.set(assets[nth - 1]!, id);
  }

  async #findFunctions(sql: Sql, names: string[]): Promise<void> {
    const found = await sql<{ id: number; name: string }[]>`
      select f.id, f.name from functions f where f.name = any (${names})
    `;
    for (const row of found) this.#functions.set(row.name, row.id);
  }

  principal(name: string): number {
    return known(this.#principals.get(name), name);
  }

  asset(identifier: string): number {
    return known(this.#assets.get(identifier), identifier);
  }

  function(name: string): number {
    return known(this.#functions.get(name), name);
  }

  /** True when no table can hold anything about this principal yet. */
  isFresh(principal: number): boolean {
    const { first, names } = this.#fresh;
    return principal >= first && principal < first + names.length;
  }

  /** The name of a principal that the batch in hand saw first. */
  freshName(principal: number): string | undefined {
    const { first, names } = this.#fresh;
    return names[principal - first];
  }

  /** Called between batches. */
  rotate(): void {
    this.#principals.rotate();
    this.#assets.rotate();
    this.#functions.rotate();
  }
}

function* principalRows({ first, names }: NewKeys): Generator<Row, void, void> {
  for (const [i, name] of names.entries()) yield [first + i, principalToBytes(name)];
}

function known(key: number | undefined, name: string): number {
  if (key === undefined) throw new Error(`"${name}" was used before it was interned`);
  return key;
}

const contractOf = (asset: string) => asset.slice(0, asset.indexOf('::'));
const nameOf = (asset: string) => asset.slice(asset.indexOf('::') + 2);
