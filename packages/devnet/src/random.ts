import { sha512_256 } from '@cairn-stacks/codec/hash';

/** A small seeded random generator: the same seed gives the same chain on any machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** The state of the generator; setting it continues from there. */
  get state(): number {
    return this.#state;
  }

  set state(state: number) {
    this.#state = state | 0;
  }

  /** An integer of 32 bits (mulberry32). */
  u32(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** An integer from 0 to `below - 1`. */
  below(below: number): number {
    return this.u32() % below;
  }

  /** True with a probability of one in `oneIn`. */
  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** Random bytes. */
  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i += 32) {
      const words = new Uint32Array([this.u32(), this.u32(), this.u32(), this.u32()]);
      bytes.set(sha512_256(new Uint8Array(words.buffer)).subarray(0, length - i), i);
    }
    return bytes;
  }
}
