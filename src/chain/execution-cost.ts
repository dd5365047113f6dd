import type { Cost } from './transaction.ts';

const free = new Uint8Array(0);

/**
 * A cost as the tables store it: five numbers, each in groups of seven bits with the lowest first and the top bit set on
 * all but its last byte. Nothing where all are zero, as for a transfer. Half the bytes of fixed columns, and no bound.
 */
export function packCost({ runtime, readCount, readLength, writeCount, writeLength }: Cost): Uint8Array {
  if (runtime === 0n && readCount + readLength + writeCount + writeLength === 0) return free;
  const bytes: number[] = [];
  for (const value of [runtime, readCount, readLength, writeCount, writeLength]) {
    let rest = BigInt(value);
    for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
  }
  return Uint8Array.from(bytes);
}

/** The numbers of a packed cost. */
export function unpackCost(bytes: Uint8Array): Cost {
  const values: bigint[] = [];
  let value = 0n;
  let shift = 0n;
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (byte & 0x80) continue;
    values.push(value);
    value = 0n;
    shift = 0n;
  }
  const [runtime = 0n, readCount = 0n, readLength = 0n, writeCount = 0n, writeLength = 0n] = values;
  return {
    runtime,
    readCount: Number(readCount),
    readLength: Number(readLength),
    writeCount: Number(writeCount),
    writeLength: Number(writeLength),
  };
}
