import type { Shape } from '../../compat/shape.ts';
import type { Sql } from '../../db/client.ts';
import { notFound } from '../../errors.ts';
import { findBurnTimes } from '../burn/burn-times-queries.ts';
import { eventPositionCursor } from '../events/event-position-schema.ts';
import { cutList, renderKeyedPage, startOf } from '../pages/cursor-list-schema.ts';
import { heightsOf, renderBondEvent } from './bond-event-schema.ts';
import { type BondTimes, renderBond, renderBondSummary } from './bond-schema.ts';
import * as queries from './bonds-queries.ts';
import { listBondEvents } from './events-queries.ts';
import { listBondRewards } from './rewards-queries.ts';
import { PACE_BLOCKS } from './schedule-point-schema.ts';

/** The burn tip, and the prepare phase of cycles where a node has reported it, by which schedules are dated. */
type BondClock = { burnTip: number; mainnet: boolean; prepare: number | undefined };

type Page = { limit: number; cursor: string | undefined };

/** Bonds, the highest index first. */
export async function listBonds(sql: Sql, { limit, cursor }: Page, clock: BondClock, shape: Shape) {
  const rows = await queries.listBonds(sql);
  const start = startOf(rows, cursor, cursor => row => row.bond <= Number(cursor));
  const times = await readTimes(sql, rows.slice(start, start + limit), clock, shape);
  const render = (row: queries.BondRow) => renderBondSummary(row, clock.burnTip, times);
  return cutList(rows, { start, limit, alwaysCounted: true }, { cursorOf: row => String(row.bond), render });
}

export async function findBond(sql: Sql, index: number, clock: BondClock, shape: Shape) {
  const [bond] = await queries.listBonds(sql, index);
  if (!bond) throw notFound('Bond not found');
  return renderBond(bond, clock.burnTip, shape, await readTimes(sql, [bond], clock, shape));
}

/** Dates and rewards of bonds, which responses have since 9.0. */
async function readTimes(
  sql: Sql,
  bonds: queries.BondRow[],
  clock: BondClock,
  shape: Shape,
): Promise<BondTimes | undefined> {
  if (shape === '9.0') return undefined;
  const { prepare = 0 } = clock;
  const heights = bonds.flatMap(row => [row.start_height - prepare, row.start_height, row.unlock_height]);
  const indexes = bonds.map(row => row.bond);
  return {
    clock,
    times: await findBurnTimes(sql, heights, PACE_BLOCKS),
    rewards: await listBondRewards(sql, indexes),
  };
}

type EventPage = Parameters<typeof listBondEvents>[2];

/** Events of a bond, newest first. */
export async function listEventsOfBond(sql: Sql, bond: number, page: EventPage, clock: BondClock) {
  const found = await listBondEvents(sql, bond, page);
  const heights = found.rows.flatMap(row => heightsOf(row, clock));
  const times = await findBurnTimes(sql, heights, PACE_BLOCKS);
  const render = (row: (typeof found.rows)[number]) => renderBondEvent(row, times, clock);
  return renderKeyedPage(found, page.limit, { cursorOf: eventPositionCursor, render });
}
