import type { Interner } from './interner.ts';

/** The keys of the names a block uses, and the way back from key to name for as long as the block is in hand. */
export class BlockNames {
  readonly #names: Interner;
  readonly #principals = new Map<number, string>();
  readonly #assets = new Map<number, string>();

  constructor(names: Interner) {
    this.#names = names;
  }

  principal(name: string): number {
    const key = this.#names.principal(name);
    this.#principals.set(key, name);
    return key;
  }

  asset(identifier: string): number {
    const key = this.#names.asset(identifier);
    this.#assets.set(key, identifier);
    return key;
  }

  function(name: string): number {
    return this.#names.function(name);
  }

  principalName(key: number): string {
    return this.#principals.get(key) ?? '';
  }

  assetName(key: number): string {
    return this.#assets.get(key) ?? '';
  }
}
