import { tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { BranchState } from '../chain/branch-state.ts';
import { entryKey, readData, variableKey, type Write } from './contract-model.ts';

/** The fields of a key, or the key itself. */
export type MapKey = ClarityValue | Record<string, ClarityValue>;

const isValue = (key: MapKey): key is ClarityValue => typeof (key as { type?: unknown }).type === 'string';

/** The data of one contract during a call: later reads see the writes of earlier steps. */
export class Draft {
  readonly #state: BranchState;
  readonly #contract: string;
  readonly #written = new Map<string, ClarityValue | undefined>();

  readonly #initial: Record<string, ClarityValue>;

  /** `initial` are the values of variables that were never set. */
  constructor(state: BranchState, contract: string, initial: Record<string, ClarityValue> = {}) {
    this.#state = state;
    this.#contract = contract;
    this.#initial = initial;
  }

  get writes(): Write[] {
    return [...this.#written].map(([key, value]) => ({ key, value }));
  }

  entry(map: string, key: MapKey): ClarityValue | undefined {
    return this.#read(this.#entryKey(map, key));
  }

  setEntry(map: string, key: MapKey, value: ClarityValue | undefined): void {
    this.#written.set(this.#entryKey(map, key), value);
  }

  /** A uint in a map; 0 if there is none. */
  number(map: string, key: MapKey): bigint {
    const value = this.entry(map, key);
    return value?.type === 'uint' ? value.value : 0n;
  }

  setNumber(map: string, key: MapKey, value: bigint): void {
    this.setEntry(map, key, uint(value));
  }

  /** Adds to a uint in a map. */
  add(map: string, key: MapKey, change: bigint): void {
    this.setNumber(map, key, this.number(map, key) + change);
  }

  variable(name: string): ClarityValue | undefined {
    return this.#read(variableKey(this.#contract, name)) ?? this.#initial[name];
  }

  /** A uint variable; 0 if it was never set. */
  uintVariable(name: string): bigint {
    const value = this.variable(name);
    return value?.type === 'uint' ? value.value : 0n;
  }

  setVariable(name: string, value: ClarityValue): void {
    this.#written.set(variableKey(this.#contract, name), value);
  }

  #entryKey(map: string, key: MapKey): string {
    return entryKey(this.#contract, map, isValue(key) ? key : tuple(key));
  }

  #read(key: string): ClarityValue | undefined {
    return this.#written.has(key) ? this.#written.get(key) : readData(this.#state, key);
  }
}
