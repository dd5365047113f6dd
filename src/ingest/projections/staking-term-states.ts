import { poxVersion } from '../../chain/pox/contract.ts';
import { readStakingPrint, type StakingPosition } from '../../chain/pox/staking-print.ts';
import { cyclesOf, type PrintPlace, type StakingTerm } from '../../chain/pox/staking-term.ts';
import type { Sql } from '../../db/client.ts';
import type { Row } from '../../db/table.ts';
import { Generations } from '../rows/generations.ts';
import type { HistoryTable } from '../rows/history-table.ts';
import type { ResolvedBlock } from '../rows/resolved-block.ts';
import { integerKey, type RunningTotal, readTotals } from '../rows/running-total.ts';
import type { StateCache, StateCacheType } from '../rows/running-totals.ts';

const cachedStakers = 20_000;
const cachedCycles = 100_000;

export const termsTable: HistoryTable = {
  name: 'staking_terms',
  columns: {
    height: 'int4',
    event_index: 'int4',
    staker: 'principal',
    signer: 'principal',
    bond: 'int4',
    first_cycle: 'int4',
    end_cycle: 'int4',
    start_cycle: 'int4',
    unlock_height: 'int4',
    lock_height: 'int4',
    lock_index: 'int4',
    lock_place: 'int2',
    place: 'int2',
    l1: 'bool',
    stx: 'numeric',
    sats: 'numeric',
  },
  key: ['staker'],
  order: ['height', 'place', 'event_index'],
};

export const signerCyclesTable: HistoryTable = {
  name: 'staking_signer_cycles',
  columns: { signer: 'principal', cycle: 'int4', height: 'int4', stakers: 'int4', stx: 'numeric' },
  key: ['signer', 'cycle'],
  order: ['height'],
};

/** The row of a term that a print began. */
export const termRow = (staker: number, at: PrintPlace, term: StakingTerm): Row => [
  ...[at.height, at.index, staker, term.signer, term.bond, term.firstCycle, term.endCycle, term.startCycle],
  ...[term.unlockHeight, term.lock.height, term.lock.index, term.lock.place, at.place],
  ...[term.l1, term.stx, term.sats],
];

const lastTerms: RunningTotal<number, StakingTerm | null> = {
  history: termsTable,
  values: [
    ...['signer', 'bond', 'first_cycle', 'end_cycle', 'start_cycle', 'unlock_height'],
    ...['lock_height', 'lock_index', 'lock_place', 'l1', 'stx', 'sats'],
  ],
  ...integerKey('staker'),
  initial: () => null,
  read: row => ({
    signer: row.signer,
    bond: row.bond,
    firstCycle: row.first_cycle,
    endCycle: row.end_cycle,
    startCycle: row.start_cycle,
    unlockHeight: row.unlock_height,
    lock: { height: row.lock_height, place: row.lock_place, index: row.lock_index },
    l1: row.l1,
    stx: BigInt(row.stx),
    sats: BigInt(row.sats),
  }),
};

/** How many stake with a signer in a cycle, and all their micro-STX. */
export type SignerCycle = { stakers: number; stx: bigint };

const none: SignerCycle = { stakers: 0, stx: 0n };

export const signerCycleKey = (signer: number, cycle: number): string => `${signer} ${cycle}`;

const partsOf = (key: string) => key.split(' ').map(Number);

const signerCycles: RunningTotal<string, SignerCycle> = {
  history: signerCyclesTable,
  values: ['stakers', 'stx'],
  toColumns: partsOf,
  toKey: row => signerCycleKey(row.signer, row.cycle),
  initial: () => none,
  read: row => ({ stakers: row.stakers, stx: BigInt(row.stx) }),
};

/** A step of a staker, with the position of its print in the block. */
export type StakingStep = { print: StakingPosition; place: number; index: number };

/** The steps of stakers in a block. */
export function stakingSteps({ transactions }: Pick<ResolvedBlock, 'transactions'>): StakingStep[] {
  const steps: StakingStep[] = [];
  for (const { events, txPosition } of transactions) {
    for (const { source, index } of events) {
      if (source.kind !== 'print' || poxVersion(source.contract) !== 5) continue;
      const print = readStakingPrint(source.value);
      if (print?.kind === 'position') steps.push({ print, place: txPosition, index });
    }
  }
  return steps;
}

/** The writer's cache of what stakers have last decided, and of how much signers have in the cycles that a batch may change. */
class StakingTerms implements StateCache {
  readonly #terms = new Generations<number, StakingTerm | null>(cachedStakers);
  readonly #cycles = new Generations<string, SignerCycle>(cachedCycles);

  /** The newest term of a staker. */
  term(staker: number): StakingTerm | undefined {
    const term = this.#terms.get(staker);
    if (term === undefined) throw new Error(`the terms of the staker ${staker} were not loaded`);
    return term ?? undefined;
  }

  setTerm(staker: number, term: StakingTerm): void {
    this.#terms.set(staker, term);
  }

  signerCycle(key: string): SignerCycle {
    const state = this.#cycles.get(key);
    if (!state) throw new Error(`what the signer has in a cycle was not loaded: ${key}`);
    return state;
  }

  setSignerCycle(key: string, state: SignerCycle): void {
    this.#cycles.set(key, state);
  }

  /** Loads what the blocks need and the cache lacks, as it stood at `height`. */
  async load(sql: Sql, blocks: readonly ResolvedBlock[], height: number): Promise<void> {
    const steps = new Map<number, { signer: number; first: number; end: number }[]>();
    for (const block of blocks) {
      for (const { print } of stakingSteps(block)) {
        const staker = block.names.principal(print.staker);
        const signer = print.signer === undefined ? 0 : block.names.principal(print.signer);
        const cycles = cyclesOf(print);
        const own = steps.get(staker) ?? [];
        steps.set(staker, cycles ? [...own, { signer, ...cycles }] : own);
      }
    }
    if (steps.size === 0) return;
    await this.#loadTerms(sql, [...steps.keys()], height);
    const keys = new Set<string>();
    for (const [staker, own] of steps) {
      const before = this.term(staker);
      const all = before ? [...own, { signer: before.signer, first: before.firstCycle, end: before.endCycle }] : own;
      for (const { signer, first, end } of all) {
        for (let cycle = first; cycle < end; cycle++) keys.add(signerCycleKey(signer, cycle));
      }
    }
    await this.#loadCycles(sql, [...keys], height);
  }

  async #loadTerms(sql: Sql, stakers: number[], height: number): Promise<void> {
    const unknown = stakers.filter(staker => this.#terms.get(staker) === undefined);
    if (unknown.length === 0) return;
    for (const staker of unknown) this.#terms.set(staker, null);
    for (const [staker, term] of await readTotals(sql, lastTerms, unknown, height)) this.#terms.set(staker, term);
  }

  async #loadCycles(sql: Sql, keys: string[], height: number): Promise<void> {
    const unknown = keys.filter(key => this.#cycles.get(key) === undefined);
    if (unknown.length === 0) return;
    for (const key of unknown) this.#cycles.set(key, none);
    for (const [key, state] of await readTotals(sql, signerCycles, unknown, height)) this.#cycles.set(key, state);
  }

  /** Called between batches. */
  rotate(): void {
    for (const cached of [this.#terms, this.#cycles]) cached.rotate();
  }

  clear(): void {
    for (const cached of [this.#terms, this.#cycles]) cached.clear();
  }
}

/** The cache of a writer. */
export const stakingTermStates: StateCacheType<StakingTerms> = () => new StakingTerms();
