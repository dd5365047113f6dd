import { cycleAt, cycleBounds, type PoxGeometry } from '../../chain/pox/geometry.ts';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import { findBurnTimes } from '../burn/burn-times-queries.ts';
import { cycleOf } from '../pox/cycle-params.ts';
import { findPoxCycle } from '../pox/cycles-queries.ts';
import { renderStakingOverview, type StakingCycle, sumCyclePrints, sumOf } from './cycle-schema.ts';
import { findBondsLocked, findDistributed, findStxStaked, listCycleBonds } from './cycles-queries.ts';
import { countCreditedStakers, listCyclePrints } from './events-queries.ts';
import { PACE_BLOCKS, renderScheduleTimes } from './schedule-point-schema.ts';

const always = 2_147_483_647;

/** The amounts staked at the burn tip, in STX alone and in bonds. */
export const findStakingOverview = (pool: Reader, burnTip: number) =>
  inSnapshot(pool, async sql =>
    renderStakingOverview(
      await findStxStaked(sql, { before: always, beyond: burnTip, rolledOver: true }),
      await findBondsLocked(sql, { lockedAt: burnTip }),
    ),
  );

/** A cycle with its schedule, stakes and rewards. */
export async function findStakingCycle(pool: Reader, cycleText: string, clock: Clock): Promise<StakingCycle> {
  const cycle = cycleOf(cycleText, cycleAt(clock.geometry, clock.burnTip));
  if (cycle === undefined) throw notFound('PoX cycle not found');
  return await inSnapshot(pool, sql => readStakingCycle(sql, cycle, clock));
}

type Clock = { geometry: PoxGeometry; burnTip: number; mainnet: boolean };

async function readStakingCycle(
  sql: Sql,
  number: number,
  { geometry, burnTip, mainnet }: Clock,
): Promise<StakingCycle> {
  const { start, prepare, end } = cycleBounds(geometry, number);
  const finished = burnTip > end;
  const phase = burnTip >= prepare ? 'prepare_phase' : 'reward_phase';
  const set = await findPoxCycle(sql, number);
  const indexes = await listCycleBonds(sql, number);
  const { rewards, staked, calculations } = sumCyclePrints(await listCyclePrints(sql, number));
  const bonds = await findBondsLocked(sql, { bonds: indexes });
  const times = await findBurnTimes(sql, [start, prepare, end], PACE_BLOCKS);
  const point = (height: number) => ({
    bitcoin_height: height,
    ...renderScheduleTimes(height, times, mainnet, burnTip),
  });
  const alone = finished
    ? { stx: staked ?? '0', stakers: staked === undefined ? 0 : await countCreditedStakers(sql, number) }
    : await findStxStaked(sql, { before: start, beyond: start, rolledOver: false });
  const shared = finished && calculations.length > 0 ? await findDistributed(sql, calculations) : undefined;
  const native = shared?.native ?? bonds.native;
  const total = shared?.total ?? sumOf(bonds.native, bonds.sbtc);
  const stxOnly = staked ?? alone.stx;
  return {
    number,
    status: finished ? 'finished' : burnTip < start ? 'upcoming' : phase,
    schedule: { start: point(start), prepare_phase_start: point(prepare), end: point(end) },
    locked: {
      stx: { stx_only: stxOnly, bonds: bonds.stx, total: sumOf(stxOnly, bonds.stx) },
      btc: { total, native, sbtc: String(BigInt(total) - BigInt(native)) },
    },
    participants: { stakers: { stx_only: alone.stakers, bonds: bonds.stakers }, signers: set?.signers ?? null },
    bonds: { total: indexes.length, indexes },
    rewards,
  };
}
