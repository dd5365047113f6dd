import { principalToBytes } from '../codec/principal.ts';
import type { Sql } from '../db/client.ts';
import type { Row, Table } from '../db/table.ts';
import { Generations } from './generations.ts';

export const principalsTable: Table = { name: 'principals', columns: { id: 'int4', name: 'bytea' } };
export const assetsTable: Table = { name: 'assets', columns: { id: 'int4', contract: 'principal', name: 'text' } };
export const functionsTable: Table = { name: 'functions', columns: { id: 'int4', name: 'text' } };

const remembered = 200_000;

/** Gives each name an integer key, once: keys come from memory, so a block costs one look-up for its unknown names. */
class Names {
  readonly #keys = new Generations<string, number>(remembered);
  readonly #table: string;
  #next: number | undefined;

  constructor(table: string) {
    this.#table = table;
  }

  get(name: string): number | undefined {
    return this.#keys.get(name);
  }

  set(name: string, key: number): void {
    this.#keys.set(name, key);
  }

  unknown(names: Iterable<string>): string[] {
    const unknown: string[] = [];
    for (const name of names) if (this.#keys.get(name) === undefined) unknown.push(name);
    return unknown;
  }

  async next(sql: Sql): Promise<number> {
    if (this.#next === undefined) {
      const [row] = await sql<{ next: number }[]>`select coalesce(max(id), 0) + 1 as next from ${sql(this.#table)}`;
      this.#next = row!.next;
    }
    return this.#next++;
  }

  turn(): void {
    this.#keys.turn();
  }

  clear(): void {
    this.#keys.clear();
    this.#next = undefined;
  }
}

/** New rows of the interning tables; they commit with the batch that used them. */
export type NewNames = { principals: Row[]; assets: Row[]; functions: Row[] };

/** The writer's memory of interned names. 0 stands for "none" in every table. */
export class Interner {
  readonly #principals = new Names('principals');
  readonly #assets = new Names('assets');
  readonly #functions = new Names('functions');
  /** Principals that the batch in hand saw first: nothing can be stored for them yet. */
  readonly #fresh = new Set<number>();

  /** Makes the keys of all names known and returns the rows that are new. */
  async resolve(sql: Sql, principals: Set<string>, assets: Set<string>, functions: Set<string>): Promise<NewNames> {
    this.#fresh.clear();
    for (const asset of assets) principals.add(contractOf(asset));
    const created: NewNames = { principals: [], assets: [], functions: [] };
    const unknown = this.#principals.unknown(principals);
    if (unknown.length > 0) {
      const bytes = new Map(unknown.map(name => [Buffer.from(principalToBytes(name)).toString('hex'), name]));
      const found = await sql<{ id: number; name: Buffer }[]>`
        select p.id, p.name
        from unnest(${[...bytes.keys()]}::text[]) as u (hex)
        join principals p on p.name = decode(u.hex, 'hex')
      `;
      for (const row of found) this.#principals.set(bytes.get(row.name.toString('hex'))!, row.id);
      for (const name of unknown) {
        if (this.#principals.get(name) !== undefined) continue;
        const id = await this.#principals.next(sql);
        this.#principals.set(name, id);
        this.#fresh.add(id);
        created.principals.push([id, principalToBytes(name)]);
      }
    }
    const unknownAssets = this.#assets.unknown(assets);
    if (unknownAssets.length > 0) {
      const found = await sql<{ id: number; contract: number; name: string }[]>`
        select a.id, a.contract, a.name
        from unnest(
          ${unknownAssets.map(a => this.principal(contractOf(a)))}::int[],
          ${unknownAssets.map(nameOf)}::text[]
        ) as u (contract, name)
        join assets a on a.contract = u.contract and a.name = u.name
      `;
      const keys = new Map(found.map(row => [`${row.contract}::${row.name}`, row.id]));
      for (const asset of unknownAssets) {
        const contract = this.principal(contractOf(asset));
        const known = keys.get(`${contract}::${nameOf(asset)}`);
        const id = known ?? (await this.#assets.next(sql));
        this.#assets.set(asset, id);
        if (known === undefined) created.assets.push([id, contract, nameOf(asset)]);
      }
    }
    const unknownFunctions = this.#functions.unknown(functions);
    if (unknownFunctions.length > 0) {
      const found = await sql<{ id: number; name: string }[]>`
        select f.id, f.name from functions f where f.name = any (${unknownFunctions})
      `;
      for (const row of found) this.#functions.set(row.name, row.id);
      for (const name of unknownFunctions) {
        if (this.#functions.get(name) !== undefined) continue;
        const id = await this.#functions.next(sql);
        this.#functions.set(name, id);
        created.functions.push([id, name]);
      }
    }
    return created;
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
    return this.#fresh.has(principal);
  }

  /** Called between batches. */
  turn(): void {
    this.#principals.turn();
    this.#assets.turn();
    this.#functions.turn();
  }

  /** Forgets everything, after a transaction that did not commit. */
  clear(): void {
    this.#principals.clear();
    this.#assets.clear();
    this.#functions.clear();
    this.#fresh.clear();
  }
}

function known(key: number | undefined, name: string): number {
  if (key === undefined) throw new Error(`"${name}" was used before it was interned`);
  return key;
}

const contractOf = (asset: string) => asset.slice(0, asset.indexOf('::'));
const nameOf = (asset: string) => asset.slice(asset.indexOf('::') + 2);
