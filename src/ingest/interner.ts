import { principalToBytes } from '../codec/principal.ts';
import type { Sql } from '../db/client.ts';
import type { Row, Table } from '../db/table.ts';
import type { UsedNames } from './batch-names.ts';
import { Generations } from './generations.ts';

export const principalsTable: Table = { name: 'principals', columns: { id: 'int4', name: 'bytea' } };
export const assetsTable: Table = { name: 'assets', columns: { id: 'int4', contract: 'principal', name: 'text' } };
export const functionsTable: Table = { name: 'functions', columns: { id: 'int4', name: 'text' } };

const remembered = 200_000;

/** Gives each name an integer key, once: keys come from memory, so a block costs one look-up for its unknown names. */
class Names {
  #keys = new Generations<string, number>(remembered);
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

  /** Those of the names that memory lacks. */
  unknown(names: Iterable<string>): string[] {
    const unknown: string[] = [];
    for (const name of names) if (this.#keys.get(name) === undefined) unknown.push(name);
    return unknown;
  }

  /** True when none of the names that memory lacks can be in the table. */
  async areNew(sql: Sql): Promise<boolean> {
    if (this.#next === undefined) {
      const [row] = await sql<{ next: number }[]>`select coalesce(max(id), 0) + 1 as next from ${sql(this.#table)}`;
      this.#next = row!.next;
      if (this.#next === 1) this.#keys = new Generations(remembered, true);
    }
    return this.#keys.whole;
  }

  /** A key for a name that is in neither; only after `areNew` has looked. */
  next(): number {
    return this.#next!++;
  }

  turn(): void {
    this.#keys.turn();
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
  async resolve(sql: Sql, { principals, assets, functions }: UsedNames): Promise<NewNames> {
    this.#fresh.clear();
    for (const asset of assets) principals.add(contractOf(asset));
    const created: NewNames = { principals: [], assets: [], functions: [] };
    const unknown = this.#principals.unknown(principals);
    if (unknown.length > 0) {
      if (!(await this.#principals.areNew(sql))) await this.#findPrincipals(sql, unknown);
      for (const name of unknown) {
        if (this.#principals.get(name) !== undefined) continue;
        const id = this.#principals.next();
        this.#principals.set(name, id);
        this.#fresh.add(id);
        created.principals.push([id, principalToBytes(name)]);
      }
    }
    const unknownAssets = this.#assets.unknown(assets);
    if (unknownAssets.length > 0) {
      if (!(await this.#assets.areNew(sql))) await this.#findAssets(sql, unknownAssets);
      for (const asset of unknownAssets) {
        if (this.#assets.get(asset) !== undefined) continue;
        const id = this.#assets.next();
        this.#assets.set(asset, id);
        created.assets.push([id, this.principal(contractOf(asset)), nameOf(asset)]);
      }
    }
    const unknownFunctions = this.#functions.unknown(functions);
    if (unknownFunctions.length > 0) {
      if (!(await this.#functions.areNew(sql))) await this.#findFunctions(sql, unknownFunctions);
      for (const name of unknownFunctions) {
        if (this.#functions.get(name) !== undefined) continue;
        const id = this.#functions.next();
        this.#functions.set(name, id);
        created.functions.push([id, name]);
      }
    }
    return created;
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
    return this.#fresh.has(principal);
  }

  /** Called between batches. */
  turn(): void {
    this.#principals.turn();
    this.#assets.turn();
    this.#functions.turn();
  }
}

function known(key: number | undefined, name: string): number {
  if (key === undefined) throw new Error(`"${name}" was used before it was interned`);
  return key;
}

const contractOf = (asset: string) => asset.slice(0, asset.indexOf('::'));
const nameOf = (asset: string) => asset.slice(asset.indexOf('::') + 2);
