import type { Sql } from '../db/client.ts';
import type { Table } from '../db/table.ts';
import type { BurnBlock } from '../node/messages.ts';
import type { Batch } from './batch.ts';

export const burnBlocksTable: Table = {
  name: 'burn_blocks',
  columns: { height: 'int4', burn_amount: 'int8', hash: 'bytea', consensus_hash: 'bytea', parent_hash: 'bytea' },
};

/** Tables that own a burn height: a Bitcoin fork deletes from it upwards. */
export const burnTables: readonly Table[] = [burnBlocksTable];

export function addBurnBlock(batch: Batch, burn: BurnBlock): void {
  batch.add(burnBlocksTable, [burn.height, burn.burnAmount, burn.hash, burn.consensusHash, burn.parentHash]);
}

/** The greatest burn height known, -1 for none. */
export async function loadBurnHeight(sql: Sql): Promise<number> {
  const [row] = await sql<{ height: number }[]>`select coalesce(max(height), -1) as height from burn_blocks`;
  return row!.height;
}

export async function loadBurnHash(sql: Sql, height: number): Promise<Buffer | undefined> {
  const [row] = await sql<{ hash: Buffer }[]>`select hash from burn_blocks where height = ${height}`;
  return row?.hash;
}
