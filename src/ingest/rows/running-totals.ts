import type { Sql } from '../../db/client.ts';
import { Generations } from './generations.ts';
import type { Interner } from './interner.ts';
import type { ResolvedBlock } from './resolved-block.ts';
import { type Key, type RunningTotal, readTotals } from './running-total.ts';

const cachedTotals = 100_000;

/** Says that a block changes the total of a key; `principal` is the one it belongs to, 0 where it belongs to none. */
export type Want = <K extends Key, V>(total: RunningTotal<K, V>, key: K, principal: number) => void;

/** A cache of states that look-ups by key cannot fill. */
export type StateCache = {
  /** Loads what the blocks need and the cache lacks, as it stood at `height`. */
  load(sql: Sql, blocks: readonly ResolvedBlock[], height: number): Promise<void>;
  rotate(): void;
  clear(): void;
};

/** Makes the cache of a writer. */
export type StateCacheType<Cache extends StateCache> = () => Cache;

/** The state that a projection needs between blocks. */
export type Declared = {
  totals?: readonly AnyTotal[];
  caches?: readonly StateCacheType<StateCache>[];
  /** Names the totals that a block changes. */
  wants?(block: ResolvedBlock, want: Want): void;
};

// biome-ignore lint/suspicious/noExplicitAny: a list of declarations with different keys and values
type AnyTotal = RunningTotal<any, any>;

/**
 * The writer's cache of running totals: what each account, token and contract stood at after the last block. A total that is
 * not cached is one index seek; all seeks of a batch go out together. Cleared after a rollback or a failed transaction.
 */
export class RunningTotals {
  readonly #declared: readonly Declared[];
  readonly #totals = new Map<AnyTotal, Generations<Key, unknown>>();
  readonly #caches = new Map<StateCacheType<StateCache>, StateCache>();

  /** `complete` where no block has been folded yet: a total that is not cached is then zero, until the cache must drop some. */
  constructor(declared: readonly Declared[], complete: boolean, limit = cachedTotals) {
    this.#declared = declared;
    for (const { totals = [], caches = [] } of declared) {
      for (const total of totals) this.#totals.set(total, new Generations(limit, complete));
      for (const create of caches) this.#caches.set(create, create());
    }
  }

  /** The cached totals of one kind. */
  of<K extends Key, V>(total: RunningTotal<K, V>): Generations<K, V> {
    const cached = this.#totals.get(total);
    if (!cached) throw new Error(`no projection declares the running total in ${total.history.name}`);
    return cached as Generations<Key, unknown> as Generations<K, V>;
  }

  cache<Cache extends StateCache>(type: StateCacheType<Cache>): Cache {
    const cache = this.#caches.get(type);
    if (!cache) throw new Error('no projection declares this cache');
    return cache as Cache;
  }

  /** Loads what the blocks need and the cache lacks, as it stood at `height`. */
  async load(sql: Sql, blocks: readonly ResolvedBlock[], names: Interner, height: number): Promise<void> {
    const missing = this.#missing(blocks, names);
    await Promise.all([
      ...[...missing].map(([total, keys]) => this.#load(sql, total, keys, height)),
      ...[...this.#caches.values()].map(cache => cache.load(sql, blocks, height)),
    ]);
  }

  /** Gives every total that the blocks change its initial value, and lists those that the tables may hold. */
  #missing(blocks: readonly ResolvedBlock[], names: Interner): Map<AnyTotal, Key[]> {
    const missing = new Map<AnyTotal, Key[]>();
    const want: Want = (total, key, principal) => {
      const cached = this.of(total);
      if (cached.get(key) !== undefined) return;
      cached.set(key, total.initial());
      if (cached.complete || names.isFresh(principal)) return;
      const keys = missing.get(total);
      if (keys) keys.push(key);
      else missing.set(total, [key]);
    };
    for (const block of blocks) for (const { wants } of this.#declared) wants?.(block, want);
    return missing;
  }

  async #load(sql: Sql, total: AnyTotal, keys: readonly Key[], height: number): Promise<void> {
    const cached = this.of<Key, unknown>(total);
    for (const [key, value] of await readTotals(sql, total, keys, height)) cached.set(key, value);
  }

  /** Called between batches. */
  rotate(): void {
    for (const cached of [...this.#totals.values(), ...this.#caches.values()]) cached.rotate();
  }

  clear(): void {
    for (const cached of [...this.#totals.values(), ...this.#caches.values()]) cached.clear();
  }
}

/** A total that the batch has loaded; its absence is a bug in the `wants` of a projection. */
export function loaded<K extends Key, V>(cached: Generations<K, V>, key: K): V {
  const value = cached.get(key);
  if (value === undefined) throw new Error(`the running total of ${String(key)} was not loaded`);
  return value;
}
