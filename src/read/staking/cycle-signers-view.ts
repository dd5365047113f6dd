import { toHex } from '@cairn-stacks/codec/hex';
import { cycleAt, type PoxGeometry } from '../../chain/pox/geometry.ts';
import type { Reader } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import { cutList, startOf } from '../pages/cursor-list-schema.ts';
import { cycleOf } from '../pox/cycle-params.ts';
import { findNewestPoxCycle, findPoxCycle } from '../pox/cycles-queries.ts';
import { renderCycleSigner } from './signer-schema.ts';
import * as queries from './signers-queries.ts';

type Page = { limit: number; cursor: string | undefined };

/** The signer set of a cycle with the managers of each key; without a geometry the current cycle is that of the newest set. */
export const listSignersOfCycle = (
  pool: Reader,
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
