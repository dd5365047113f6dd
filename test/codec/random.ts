/** A small seeded generator: the same seed gives the same run, on any machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
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

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  /** Extremes more often than chance would have it. */
  bits(bits: bigint): bigint {
    const max = (1n << bits) - 1n;
    switch (this.below(6)) {
      case 0:
        return this.pick([0n, 1n, max, max - 1n, max >> 1n, (max >> 1n) + 1n]);
      case 1:
        return (1n << BigInt(this.below(Number(bits)))) - BigInt(this.below(2));
      case 2:
        return BigInt(this.u32()) & max;
      default: {
        let value = 0n;
        for (let i = 0n; i < bits; i += 32n) value = (value << 32n) | BigInt(this.u32());
        return value & max;
      }
    }
  }
}
