/** Hashes that a query put one after the other with `string_agg`. */
export function splitHashes(bytes: Uint8Array): Uint8Array[] {
  const hashes: Uint8Array[] = [];
  for (let i = 0; i < bytes.length; i += 32) hashes.push(bytes.subarray(i, i + 32));
  return hashes;
}
