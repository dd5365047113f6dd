import { cycleAt, type PoxGeometry } from '../../chain/pox/geometry.ts';
import { toHex } from '../../codec/hex.ts';
import type { Shape } from '../../compat/shape.ts';
import type { Pool, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import { cutList, startOf } from '../pages/cursor-list-schema.ts';
import { findNewestPoxCycle, findPoxCycle } from '../pox/cycles-queries.ts';
import { cycleOf } from './cycle-number-view.ts';
import {
  renderCycleSigner,
  renderSignerStaker,
  renderStakingSigner,
  renderStakingSignerDetail,
} from './signer-schema.ts';
import * as queries from './signers-queries.ts';

type Page = { limit: number; cursor: string | undefined };

/** Signer managers and their keys, by name. */
export async function listStakingSigners(sql: Sql, { limit, cursor }: Page) {
  const rows = (await queries.listStakingSigners(sql))
    .map(renderStakingSigner)
    .sort((a, b) => (a.signer < b.signer ? -1 : 1));
  const start = startOf(rows, cursor, cursor => row => row.signer >= cursor);
  return cutList(rows, { start, limit }, { cursorOf: row => row.signer, render: row => row });
}

export async function findStakingSigner(sql: Sql, signer: Uint8Array, shape: Shape) {
  const [row] = await queries.listStakingSigners(sql, signer);
  if (!row) throw notFound('Staking signer not found');
  return renderStakingSignerDetail(row, shape);
}

/** Stakers of a signer at the burn tip, by name. */
export async function listStakersOfSigner(sql: Sql, signer: Uint8Array, { limit, cursor }: Page, burnTip: number) {
  const stakers = await queries.listSignerStakers(sql, signer, burnTip);
  const rows = stakers.map(renderSignerStaker).sort((a, b) => (a.staker < b.staker ? -1 : 1));
  const start = startOf(rows, cursor, cursor => row => row.staker >= cursor);
  return cutList(rows, { start, limit }, { cursorOf: row => row.staker, render: row => row });
}

/** The signer set of a cycle with the managers of each key; without a geometry the current cycle is that of the newest set. */
export const listSignersOfCycle = (
  pool: Pool,
  cycleText: string,
  { limit, cursor }: Page,
  geometry: PoxGeometry | undefined,
  burnTip: number,
) =>
  inSnapshot(pool, async sql => {
    const newest = await findNewestPoxCycle(sql);
    if (!newest) throw notFound('PoX cycle not found');
    const current = geometry ? cycleAt(geometry, burnTip) : newest.cycle;
    const number = cycleOf(cycleText, current);
    if (number === undefined) throw notFound('PoX cycle not found');
    const cycle = number === newest.cycle ? newest : await findPoxCycle(sql, number);
    if (!cycle) throw notFound('No reward set for this PoX cycle');
    const following = await findPoxCycle(sql, number + 1);
    const rows = await queries.listCycleSigners(sql, cycle);
    const start = startOf(rows, cursor, cursor => {
      const key = cursor.replace(/^0x/, '').toLowerCase();
      return row => toHex(row.key).endsWith(key);
    });
    if (start > 0 && start === rows.length) throw notFound('Cursor not found');
    const keys = rows.slice(start, start + limit).map(row => row.key);
    const managers = await queries.listSignerManagers(sql, keys, cycle.height, following?.height);
    const grants = await queries.listGrants(
      sql,
      managers.map(manager => manager.signer),
    );
    const render = (row: (typeof rows)[number]) => renderCycleSigner(row, cycle.cycle, managers, grants);
    return cutList(rows, { start, limit }, { cursorOf: row => toHex(row.key), render });
  });
