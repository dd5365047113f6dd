import { balanceLine, chainDigest, ownerLine } from '../../chain/state-hash.ts';
import type { Row, Table } from '../../db/table.ts';
import { nftCurrentTable } from '../projections/nfts.ts';
import type { Rows } from './projection.ts';
import type { ResolvedBlock } from './resolved-block.ts';
import { holding } from './running-total.ts';
import type { CurrentTable, FirstTable } from './table-kinds.ts';

/**
 * What a block changed, as one hash that does not depend on how the tables number names: each balance and each owner it left
 * behind, in the order of their text, chained to the hash of the block before. Two indexes of one chain agree at every height.
 */
export class StateDigest implements Rows {
  readonly #rows: Rows;
  readonly #balances = new Map<number, { asset: number; principal: number; balance: bigint }>();
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

  rank(asset: number, principal: number, before: bigint | undefined, after: bigint): void {
    this.#balances.set(holding(principal, asset), { asset, principal, balance: after });
    this.#rows.rank(asset, principal, before, after);
  }

  /** The hash after the block. */
  finish(previous: Uint8Array, { block, names }: ResolvedBlock): Uint8Array {
    const lines: string[] = [];
    for (const { asset, principal, balance } of this.#balances.values()) {
      lines.push(balanceLine(asset === 0 ? 'stx' : names.assetName(asset), names.principalName(principal), balance));
    }
    for (const { asset, owner, value } of this.#owners.values()) {
      lines.push(ownerLine(names.assetName(asset), value, owner === 0 ? '' : names.principalName(owner)));
    }
    return chainDigest(previous, block.indexHash, lines);
  }
}
