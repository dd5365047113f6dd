import { arrayLiteral } from '../../db/client.ts';
import { CopyBuffer } from '../../db/copy-buffer.ts';
import type { Flush } from '../../db/flush.ts';
import type { Row, Table } from '../../db/table.ts';
import type { NewNames } from './interner.ts';
import { assetsTable, functionsTable, principalsTable } from './interner.ts';
import type { Rows } from './projection.ts';
import { holding } from './running-total.ts';
import type { CurrentTable, FirstTable } from './table-kinds.ts';
import { upsert } from './upsert.ts';

/** How the balance of one holder changes. */
type Rank = { asset: number; principal: number; before: bigint | undefined; after: bigint };

/** Rows to write in one transaction, by table. */
export class Batch implements Rows {
  readonly #copies = new Map<string, CopyBuffer>();
  readonly #firsts = new Map<FirstTable, Map<string, Row>>();
  readonly #currents = new Map<CurrentTable, Map<string, Row>>();
  readonly #ranks = new Map<Table, Map<number, Rank>>();
  #bytes = 0;

  /** Bytes buffered for COPY; decides when to write. */
  get bytes(): number {
    return this.#bytes;
  }

  add(table: Table, row: Row): void {
    let copy = this.#copies.get(table.name);
    if (!copy) {
      copy = new CopyBuffer(table);
      this.#copies.set(table.name, copy);
    }
    const before = copy.bytes;
    copy.add(row);
    this.#bytes += copy.bytes - before;
  }

  first(table: FirstTable, key: string, row: Row): void {
    const rows = this.#firsts.get(table) ?? new Map<string, Row>();
    this.#firsts.set(table, rows);
    if (!rows.has(key)) rows.set(key, row);
  }

  set(table: CurrentTable, key: string, row: Row): void {
    const rows = this.#currents.get(table) ?? new Map<string, Row>();
    this.#currents.set(table, rows);
    rows.set(key, row);
  }

  rank(table: Table, asset: number, principal: number, before: bigint | undefined, after: bigint): void {
    const ranks = this.#ranks.get(table) ?? new Map<number, Rank>();
    this.#ranks.set(table, ranks);
    const key = holding(principal, asset);
    const known = ranks.get(key);
    if (known) known.after = after;
    else ranks.set(key, { asset, principal, before, after });
  }

  /** A view of this batch for rows that must not change current values: unconfirmed ones, or all during a bulk load. */
  withoutCurrents(): Rows {
    return { add: this.add.bind(this), first: this.first.bind(this), set: () => {}, rank: () => {} };
  }

  addNames(names: NewNames): void {
    for (const row of names.principals) this.add(principalsTable, row);
    for (const row of names.assets) this.add(assetsTable, row);
    for (const row of names.functions) this.add(functionsTable, row);
  }

  /** Adds the statements that write the rows. */
  write(flush: Flush): void {
    for (const [table, ranks] of this.#ranks) this.#writeRanks(flush, table, [...ranks.values()]);
    for (const copy of this.#copies.values()) {
      const { text, data } = copy.finish();
      flush.copy(text, data);
    }
    for (const [table, rows] of this.#firsts) {
      const { text, values } = upsert(table, table.key, [...rows.values()], 'ignore');
      flush.query(text, values);
    }
    for (const [table, rows] of this.#currents) {
      const { text, values } = upsert(table, table.key, [...rows.values()], 'update');
      flush.query(text, values);
    }
  }

  /** A holder's old row is known by its balance, so the rank index is the only one the table needs. */
  #writeRanks(flush: Flush, table: Table, ranks: readonly Rank[]): void {
    const moved = ranks.filter(r => r.before !== r.after);
    const gone = moved.filter(r => r.before !== undefined);
    if (gone.length > 0) {
      flush.query(
        `delete from ${table.name} h
         using unnest($1::int[], $2::numeric[], $3::int[]) as u (asset, balance, principal)
         where h.asset = u.asset and h.balance = u.balance and h.principal = u.principal`,
        [
          arrayLiteral(gone.map(r => r.asset)),
          arrayLiteral(gone.map(r => r.before!)),
          arrayLiteral(gone.map(r => r.principal)),
        ],
      );
    }
    for (const { asset, principal, after } of moved) this.add(table, [asset, principal, after]);
  }
}
