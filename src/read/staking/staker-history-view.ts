import { cycleAt, type PoxGeometry } from '../../chain/pox/geometry.ts';
import type { StakerRewards } from '../../chain/pox/staking-rewards.ts';
import { type StakingSpan, spansOf } from '../../chain/pox/staking-term.ts';
import type { Sql } from '../../db/client.ts';
import { grouped } from './grouped.ts';
import { isAfter, type Pool, RewardPools } from './reward-pools-view.ts';
import { type ExitRow, listTerms, type TermRow } from './staker-terms-queries.ts';

/** What a staker earned in a cycle. */
export type CycleRewards = StakerRewards & Pool & { signerName: Buffer; isFinal: boolean };

/** Cycles of a staker with one signer, and what it has in them. */
export type Span = StakingSpan<TermRow>;

/** What a staker has in which cycles, and what it earned in those that have begun, both with the lowest cycle first. */
export type StakerHistory = { spans: Span[]; rewards: CycleRewards[]; exits: ExitRow[] };

/** The cycles of PoX and the height of the Bitcoin chain. */
export type CycleClock = { geometry: PoxGeometry; burnTip: number };

/** The histories of stakers by their keys. */
export async function readStakerHistories(
  sql: Sql,
  stakers: readonly number[],
  clock: CycleClock,
): Promise<Map<number, StakerHistory>> {
  const terms = grouped(await listTerms(sql, stakers), term => term.staker);
  const present = cycleAt(clock.geometry, clock.burnTip);
  const held = stakers.map(staker => {
    const spans = spansOf(terms.get(staker) ?? []);
    const pools = spans.flatMap(({ term, first, end }) =>
      Array.from({ length: Math.max(0, Math.min(end, present + 1) - first) }, (_, i) => {
        return { term, pool: { signer: term.signer, bond: term.bond, cycle: first + i } };
      }),
    );
    return { staker, spans, pools };
  });
  const all = held.flatMap(({ pools }) => pools.map(({ pool }) => pool));
  const rewards = await RewardPools.read(sql, all, stakers, clock.geometry);
  return new Map(
    held.map(({ staker, spans, pools }) => [
      staker,
      {
        spans,
        rewards: pools.map(({ term, pool }) => ({
          ...pool,
          ...rewards.of(staker, term, pool),
          signerName: term.signerName,
          isFinal: rewards.isFinal(pool.cycle),
        })),
        exits: rewards.exitsOf(staker),
      },
    ]),
  );
}

/** The satoshis of a term after what has left its bond. */
export const satsLeft = (term: TermRow, exits: readonly ExitRow[]): bigint =>
  exits.findLast(exit => exit.bond === term.bond && isAfter(exit, term))?.sats ?? term.sats;
