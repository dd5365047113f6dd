import { balanceLine, chainDigest, ownerLine } from '../../chain/state-hash.ts';
import type { Row, Table } from '../../db/table.ts';
import { holdersTable } from '../projections/holders.ts';
import { nftCurrentTable } from '../projections/nfts.ts';
import type { Rows } from './projection.ts';
import type { ResolvedBlock } from './resolved-block.ts';
import { holding, holdingKey } from './running-total.ts';
import type { CurrentTable, FirstTable } from './table-kinds.ts';

/**
 * The changes of a block as one hash that does not depend on interned keys: each balance and each owner that it left
 * behind, in the order of their text, chained to the hash of the block before. Two indexes of one chain agree at every height.
 */
export class StateDigest implements Rows {
  readonly #rows: Rows;
  /** By holding: a genesis has half a million. */
  readonly #balances = new Map<number, bigint>();
  readonly #owners = new Map<string, { asset: number; owner: number; value: Uint8Array }>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  add(table: Table, row: Row): void {
    this.#rows.add(table, row);
  }

  first(table: FirstTable, key: string, row: Row): void {
    this.#rows.first(table, key, row);
  }

  set(table: CurrentTable, key: string, row: Row): void {
    if (table === nftCurrentTable) {
      this.#owners.set(key, { asset: row[0] as number, owner: row[1] as number, value: row[4] as Uint8Array });
    }
    this.#rows.set(table, key, row);
  }

  rank(table: Table, asset: number, principal: number, before: bigint | undefined, after: bigint): void {
    // Owners of NFTs are counted one by one.
    if (table === holdersTable) this.#balances.set(holding(principal, asset), after);
    this.#rows.rank(table, asset, principal, before, after);
  }

  /** The hash after the block. */
  finish(previous: Uint8Array, { block, names }: ResolvedBlock): Uint8Array {
    const lines: string[] = [];
    for (const [held, balance] of this.#balances) {
      const [principal, asset] = holdingKey.toColumns(held);
      lines.push(balanceLine(asset === 0 ? 'stx' : names.assetName(asset), names.principalName(principal), balance));
    }
    this.#balances.clear();
    for (const { asset, owner, value } of this.#owners.values()) {
      lines.push(ownerLine(names.assetName(asset), value, owner === 0 ? '' : names.principalName(owner)));
    }
    return chainDigest(previous, block.indexHash, lines);
  }
}
