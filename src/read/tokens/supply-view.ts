import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { findFtSupply } from './ft-supply-queries.ts';
import { findSupply } from './supply-queries.ts';
import { renderLegacySupply, renderStx, renderSupply, renderTotalSupply } from './supply-schema.ts';

type SupplyQuery = { height?: number; unanchored?: boolean };

/** The STX supply, with the height that clients see: the requested one, or the next one for unconfirmed microblocks. */
async function readSupply(sql: Sql, { height, unanchored }: SupplyQuery = {}) {
  const row = await findSupply(sql, height);
  if (!row) throw notFound('no current block');
  return { microStx: row.supply, height: height ?? (unanchored ? row.tip + 1 : row.tip) };
}

/** The STX supply now or after a block. */
export async function findStxSupply(sql: Sql, query: SupplyQuery) {
  const { microStx, height } = await readSupply(sql, query);
  return renderSupply(microStx, height);
}

/** The STX supply under the names of an older API. */
export async function findLegacyStxSupply(sql: Sql, query: SupplyQuery) {
  const { microStx, height } = await readSupply(sql, query);
  return renderLegacySupply(microStx, height);
}

/** The STX supply as text with six decimals. */
export const findPlainStxSupply = async (sql: Sql) => renderStx((await readSupply(sql)).microStx);

/** The STX supply in micro-STX. */
export const findTotalStxSupply = async (sql: Sql) => renderTotalSupply((await readSupply(sql)).microStx);

/** The supply of a fungible token; 0 where there is no such token. */
export const findTokenSupply = async (sql: Sql, asset: { contract: Uint8Array; name: string } | undefined) =>
  (asset && (await findFtSupply(sql, asset))) ?? '0';
