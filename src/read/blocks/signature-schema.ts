import { toHex } from '@cairn-stacks/codec/hex';

/** Bytes of a recoverable signature. */
const SIGNATURE = 65;

/** A page of the signatures of a block; an unknown block has none. */
export function renderSignatures(signatures: Uint8Array | undefined, limit: number, offset: number) {
  const total = (signatures?.length ?? 0) / SIGNATURE;
  const results: string[] = [];
  for (let i = offset; i < Math.min(offset + limit, total); i++) {
    results.push(toHex(signatures!.subarray(i * SIGNATURE, (i + 1) * SIGNATURE)));
  }
  return { limit, offset, total, results };
}
