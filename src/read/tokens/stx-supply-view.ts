import type { Sql } from '../../db/client.ts';
import { badRequest, notFound } from '../../errors.ts';
import { asOfAtBlock } from '../pages/at-block-params.ts';
import { noBlockAsOf } from '../pages/page-errors.ts';
import { findSupply, findSupplyAsOf } from './supply-queries.ts';

type SupplyQuery = { height?: number; unanchored?: boolean; at_block?: string };

/** The STX supply, with the height that clients see: the requested one, or the next one for unconfirmed microblocks. */
export async function readStxSupply(sql: Sql, { height, unanchored, at_block }: SupplyQuery = {}) {
  if (at_block !== undefined) {
    if (height !== undefined || unanchored) {
      throw badRequest('at_block cannot be combined with height or unanchored=true: give one of them');
    }
    const asOf = asOfAtBlock(at_block);
    const found = await findSupplyAsOf(sql, asOf);
    if (!found) throw noBlockAsOf(asOf);
    return { microStx: found.supply, height: found.height };
  }
  const row = await findSupply(sql, height);
  if (!row) throw notFound('no current block');
  return { microStx: row.supply, height: height ?? (unanchored ? row.tip + 1 : row.tip) };
}
