import type { Sql } from '../../db/client.ts';
import type { ChainTotals } from './projection.ts';

type Row = { tx_total: number; type_totals: number[]; supply: string; microblocks: number; state_hash: Buffer };

/** The running figures of the chain after the block at `height`; zeros where there is none. */
export async function loadTotals(sql: Sql, height: number): Promise<ChainTotals> {
  const [row] = await sql<Row[]>`
    select b.tx_total, b.type_totals, b.supply, b.state_hash,
      coalesce((select m.ordinal from microblocks m where m.height <= b.height order by m.height desc, m.sequence desc limit 1), 0)
        as microblocks
    from blocks b
    where b.height = ${height}
  `;
  if (!row)
    return {
      transactions: 0,
      byType: Array<number>(9).fill(0),
      supply: 0n,
      microblocks: 0,
      stateHash: new Uint8Array(32),
    };
  return {
    transactions: row.tx_total,
    byType: row.type_totals,
    supply: BigInt(row.supply),
    microblocks: row.microblocks,
    stateHash: row.state_hash,
  };
}
