import { cycleAt, cycleBounds, type PoxGeometry } from '../../chain/pox/geometry.ts';
import { leastDelegated, type RewardStep, type StakerRewards, sumRewards } from '../../chain/pox/staking-rewards.ts';
import { comparePlaces, type PrintPlace, spansOf } from '../../chain/pox/staking-term.ts';
import type { Sql } from '../../db/client.ts';
import { grouped } from './grouped.ts';
import * as steps from './reward-steps-queries.ts';
import { type ExitRow, listExits, listTerms, type TermRow } from './staker-terms-queries.ts';

/** What the stakers of a signer share in a cycle: the rewards of a bond, or with -1 those of STX staked alone. */
export type Pool = { signer: number; bond: number; cycle: number };

type Rates = Awaited<ReturnType<typeof steps.listRates>>;
type StakerClaims = Awaited<ReturnType<typeof steps.listStakerClaims>>;
type Placed = { at: PrintPlace; step: RewardStep };

const keyOf = ({ signer, bond, cycle }: Pool) => `${signer} ${bond} ${cycle}`;
const ratesKey = ({ bond, cycle }: { bond: number; cycle: number }) => `${bond} ${cycle}`;

export const isAfter = (a: PrintPlace, b: PrintPlace): boolean => comparePlaces(a, b) > 0;

/** All that decides what stakers earned in some pools. */
export class RewardPools {
  readonly #geometry: PoxGeometry;
  #rates: Map<string, Rates> = new Map();
  #settlements: Map<string, PrintPlace[]> = new Map();
  #claims: Map<string, StakerClaims> = new Map();
  #exits: Map<number, ExitRow[]> = new Map();
  #delegated: Map<string, bigint> = new Map();
  #lastCycle = -1;

  private constructor(geometry: PoxGeometry) {
    this.#geometry = geometry;
  }

  static async read(
    sql: Sql,
    pools: readonly Pool[],
    stakers: readonly number[],
    geometry: PoxGeometry,
  ): Promise<RewardPools> {
    const read = new RewardPools(geometry);
    const own = [...new Map(pools.map(pool => [keyOf(pool), pool])).values()];
    // The calculation for STX staked alone tells whether a cycle is final.
    const rated = pools.flatMap(({ bond, cycle }) => [
      { bond, cycle },
      { bond: -1, cycle },
    ]);
    const shared = [...new Map(rated.map(pool => [ratesKey(pool), pool])).values()];
    const exits = await listExits(sql, [...new Set(pools.flatMap(({ bond }) => (bond < 0 ? [] : [bond])))]);
    read.#exits = grouped(exits, exit => exit.staker);
    read.#rates = grouped(await steps.listRates(sql, shared), ratesKey);
    const fetched = (await steps.listSignerClaims(sql, own)).map(claim => ({ pool: claim, at: claim as PrintPlace }));
    const settlements = [...fetched, ...(await read.#exitSettlements(sql, exits))];
    read.#settlements = new Map(
      [...grouped(settlements, ({ pool }) => keyOf(pool))].map(([key, found]) => [key, found.map(({ at }) => at)]),
    );
    const claims = await steps.listStakerClaims(sql, stakers);
    read.#claims = grouped(claims, claim => `${claim.staker} ${keyOf(claim)}`);
    const alone = own.filter(({ bond }) => bond < 0);
    read.#delegated = new Map(
      (await steps.listDelegated(sql, alone)).map(row => [`${row.signer} ${row.cycle}`, row.stx]),
    );
    read.#lastCycle = await steps.findLastCalculatedCycle(sql);
    return read;
  }

  /** Where bitcoin left a bond during one of its cycles, the signer that the staker had in that cycle settles. */
  async #exitSettlements(sql: Sql, exits: readonly ExitRow[]): Promise<{ pool: Pool; at: PrintPlace }[]> {
    const terms = grouped(await listTerms(sql, [...new Set(exits.map(exit => exit.staker))]), term => term.staker);
    return exits.flatMap(exit => {
      const cycle = cycleAt(this.#geometry, exit.burnHeight);
      const span = spansOf(terms.get(exit.staker) ?? []).find(({ first, end }) => first <= cycle && cycle < end);
      if (span?.term.bond !== exit.bond) return [];
      return [{ pool: { signer: span.term.signer, bond: exit.bond, cycle }, at: exit }];
    });
  }

  /** What a staker earned in a pool, in which it has what a term says. */
  of(staker: number, term: TermRow, pool: Pool): StakerRewards {
    const isAlone = pool.bond < 0;
    const earns = !isAlone || (this.#delegated.get(`${pool.signer} ${pool.cycle}`) ?? 0n) >= leastDelegated;
    const placed: Placed[] = [
      ...(earns ? (this.#rates.get(ratesKey(pool)) ?? []) : []).map(row => ({
        ...{ at: row, step: { kind: 'rate', rate: row.rate } as const },
      })),
      ...(this.#settlements.get(keyOf(pool)) ?? []).map(at => ({ at, step: { kind: 'settlement' } as const })),
      ...(isAlone ? [] : this.#changesOf(staker, term, pool.cycle)),
      ...(this.#claims.get(`${staker} ${keyOf(pool)}`) ?? []).map(row => ({
        ...{ at: row, step: { kind: 'claim', sats: row.sats } as const },
      })),
    ];
    placed.sort((a, b) => comparePlaces(a.at, b.at));
    return sumRewards(
      isAlone ? term.stx : term.sats,
      placed.map(({ step }) => step),
    );
  }

  /** What left a bond changes the shares of the cycle that runs, and of those to come. */
  #changesOf(staker: number, term: TermRow, cycle: number): Placed[] {
    return this.exitsOf(staker)
      .filter(
        exit => exit.bond === term.bond && isAfter(exit, term) && cycleAt(this.#geometry, exit.burnHeight) <= cycle,
      )
      .map(exit => ({ at: exit, step: { kind: 'shares', shares: exit.sats } }));
  }

  exitsOf(staker: number): ExitRow[] {
    return this.#exits.get(staker) ?? [];
  }

  /** Whether the last calculation of a cycle has been made. */
  isFinal(cycle: number): boolean {
    if (this.#lastCycle > cycle) return true;
    const { end } = cycleBounds(this.#geometry, cycle);
    return (this.#rates.get(ratesKey({ bond: -1, cycle })) ?? []).some(({ calculationHeight: at }) => at >= end);
  }
}
