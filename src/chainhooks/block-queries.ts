import type { Sql } from '../db/client.ts';
import { type BlockRow, blockColumns } from '../read/blocks/blocks-queries.ts';

/** A block with what payloads say about it. */
export type HookBlockRow = BlockRow & {
  parent_burn_time: number;
  signer_bitvec: Buffer;
  /** 65 bytes each, one after the other. */
  signatures: Buffer;
};

/** The canonical block with this height and index hash. */
export async function findHookBlock(
  sql: Sql,
  height: number,
  indexHash: Uint8Array,
): Promise<HookBlockRow | undefined> {
  const [row] = await sql<HookBlockRow[]>`
    select ${blockColumns(sql)}, b.parent_burn_time, b.signer_bitvec, b.signatures
    from blocks b
    where b.height = ${height} and b.index_hash = ${indexHash}
  `;
  return row;
}

/** The interfaces of some contracts by their keys, as the node wrote them. */
export async function listAbis(sql: Sql, contracts: readonly number[]): Promise<Map<number, string>> {
  if (contracts.length === 0) return new Map();
  const rows = await sql<{ contract: number; abi: string }[]>`
    select c.contract, c.abi from contracts c where c.contract = any (${contracts}::int[]) and c.abi <> ''
  `;
  return new Map(rows.map(({ contract, abi }) => [contract, abi]));
}

/** The height of a canonical block by its index hash, or of one at a height. */
export async function findHeight(
  sql: Sql,
  key: { height: number } | { indexHash: Uint8Array },
): Promise<number | undefined> {
  const [row] = await sql<{ height: number }[]>`
    select b.height
    from blocks b
    where b.height <= (select f.height from fold_position f)
      and ${'height' in key ? sql`b.height = ${key.height}` : sql`b.index_hash = ${key.indexHash}`}
  `;
  return row?.height;
}
