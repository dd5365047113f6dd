import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { findSupply } from './supply-queries.ts';

type SupplyQuery = { height?: number; unanchored?: boolean };

/** The STX supply, with the height that clients see: the requested one, or the next one for unconfirmed microblocks. */
export async function readStxSupply(sql: Sql, { height, unanchored }: SupplyQuery = {}) {
  const row = await findSupply(sql, height);
  if (!row) throw notFound('no current block');
  return { microStx: row.supply, height: height ?? (unanchored ? row.tip + 1 : row.tip) };
}
