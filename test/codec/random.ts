import { Random as Seeded } from '@cairn-stacks/devnet/random';

/** The seeded generator of the chain builder, with what odd values need. */
export class Random extends Seeded {
  /** Unlike a chain, a test may pick nothing. */
  override pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  override bytes(length: number): Uint8Array {
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
