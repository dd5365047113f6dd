const hashLength = 32;

/** Hashes that a query put one after the other with `string_agg`. */
export function splitHashes(bytes: Uint8Array): Uint8Array[] {
  const hashes: Uint8Array[] = [];
  for (let i = 0; i < bytes.length; i += hashLength) hashes.push(bytes.subarray(i, i + hashLength));
  return hashes;
}

/** Hashes of a hex text that has them one after the other, each with its `0x`. */
export function splitHexHashes(text: string): string[] {
  const hashes: string[] = [];
  for (let i = 0; i < text.length; i += 2 * hashLength) hashes.push(`0x${text.slice(i, i + 2 * hashLength)}`);
  return hashes;
}
