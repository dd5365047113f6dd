import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { cycleAt, cycleBounds, type PoxGeometry } from '../../../../chain/pox/geometry.ts';
import type { Sql } from '../../../../db/client.ts';
import { inSnapshot } from '../../../../db/pool/snapshot.ts';
import { notFound, PublicError } from '../../../../errors.ts';
import { findBurnTimes } from '../../../../queries/burn/burn-times.ts';
import { findPoxCycle } from '../../../../queries/pox/cycles.ts';
import { findBondsLocked, findDistributed, findStxStaked, listCycleBonds } from '../../../../queries/staking/cycles.ts';
import { countCreditedStakers, listCyclePrints } from '../../../../queries/staking/events.ts';
import { ErrorBody } from '../../../../schemas/error.ts';
import { StakingCycle, sumCyclePrints, sumOf } from '../../../../schemas/staking/cycle.ts';
import { PACE_BLOCKS, renderScheduleTimes } from '../../../../schemas/staking/schedule-point.ts';
import { CycleParam, cycleOf } from '../../../params/cycle.ts';
import type { RouteContext } from '../../../route-context.ts';

export const v3StakingCycles: FastifyPluginAsyncTypebox<RouteContext> = async (
  app,
  { sql, tip, network, poxGeometry },
) => {
  app.get(
    '/extended/v3/staking/cycles/:cycle_number',
    {
      config: { freshness: 'tip', asksNode: true },
      schema: {
        operationId: 'get_staking_cycle',
        summary: 'Get a staking cycle',
        description:
          'Returns the schedule of a cycle, what is staked in it and its rewards. STX amounts are in micro-STX, BTC ' +
          'amounts in satoshis. The status is 404 for a cycle before the first, and 503 while no node has reported ' +
          'the start of the cycles.',
        tags: ['Staking'],
        params: Type.Object({ cycle_number: CycleParam }),
        response: { 200: StakingCycle, 404: ErrorBody },
      },
    },
    async ({ params }) => {
      const geometry = await poxGeometry();
      if (!geometry) throw new PublicError(503, 'No node has reported the start of the cycles yet. Try again later');
      const burnTip = tip.current?.burnHeight ?? 0;
      const cycle = cycleOf(params.cycle_number, cycleAt(geometry, burnTip));
      if (cycle === undefined) throw notFound('PoX cycle not found');
      return await inSnapshot(sql, snapshot =>
        readCycle(snapshot, cycle, { geometry, burnTip, mainnet: network.name === 'mainnet' }),
      );
    },
  );
};

type Clock = { geometry: PoxGeometry; burnTip: number; mainnet: boolean };

async function readCycle(sql: Sql, number: number, { geometry, burnTip, mainnet }: Clock): Promise<StakingCycle> {
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
