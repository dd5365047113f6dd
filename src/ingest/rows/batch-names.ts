import type { Interner } from './interner.ts';
import type { UsedNames } from './used-names.ts';

/** Of more names than these a batch does not keep the keys itself. */
const mostNames = 50_000;

/** The keys of the names a batch uses, and the way back from key to name for as long as the batch is in hand. */
export class BatchNames {
  readonly #interner: Interner;
  readonly #principals = new Map<string, number>();
  readonly #principalNames = new Map<number, string>();
  readonly #assets = new Map<string, number>();
  readonly #assetNames = new Map<number, string>();

  /** `used` must have been resolved; it is empty afterwards. */
  constructor(interner: Interner, used: UsedNames) {
    this.#interner = interner;
    // Names of a genesis are new and occur once each: what the interner has too would only take memory.
    const many = used.principals.size > mostNames;
    for (const name of used.principals) {
      const key = interner.principal(name);
      if (!many) this.#principals.set(name, key);
      if (!many || interner.freshName(key) === undefined) this.#principalNames.set(key, name);
    }
    used.principals.clear();
    for (const identifier of used.assets) {
      const key = interner.asset(identifier);
      this.#assets.set(identifier, key);
      this.#assetNames.set(key, identifier);
    }
  }

  principal(name: string): number {
    return this.#principals.get(name) ?? this.#interner.principal(name);
  }

  asset(identifier: string): number {
    return this.#assets.get(identifier) ?? this.#interner.asset(identifier);
  }

  function(name: string): number {
    return this.#interner.function(name);
  }

  principalName(key: number): string {
    return this.#principalNames.get(key) ?? this.#interner.freshName(key) ?? '';
  }

  assetName(key: number): string {
    return this.#assetNames.get(key) ?? '';
  }
}
