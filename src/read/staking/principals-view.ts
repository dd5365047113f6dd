import type { Pool, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { cutList, startOf } from '../pages/cursor-list-schema.ts';
import { renderBondPosition, renderStakingSummary } from './principal-schema.ts';
import { findStxStake, listBondPositions } from './principals-queries.ts';

/** The stake and the rewards of a principal. */
export async function findStaking(pool: Pool, staker: Uint8Array, burnTip: number) {
  const [stake, positions] = await inSnapshot(
    pool,
    async sql => [await findStxStake(sql, staker), await listBondPositions(sql, staker)] as const,
  );
  return renderStakingSummary(stake, positions, burnTip);
}

/** Bonds that a principal is or was registered for, the lowest index first. */
export async function listBondsOf(
  sql: Sql,
  staker: Uint8Array,
  { limit, cursor }: { limit: number; cursor: string | undefined },
  burnTip: number,
) {
  const rows = await listBondPositions(sql, staker);
  const start = startOf(rows, cursor, cursor => row => row.bond >= Number(cursor));
  const render = (row: (typeof rows)[number]) => renderBondPosition(row, burnTip);
  return cutList(rows, { start, limit, alwaysCounted: true }, { cursorOf: row => String(row.bond), render });
}
