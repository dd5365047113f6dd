type Slice = (this: Uint8Array, start: number, end: number) => string;

/**
 * The runtime's own conversions, where there are any. They take any byte array and make no Buffer on
 * the way, which is what costs most on the few bytes of a name or a hash; their documented callers do.
 */
const native: { latin1Slice?: Slice; hexSlice?: Slice } = typeof Buffer === 'undefined' ? {} : Buffer.prototype;
const { latin1Slice, hexSlice } = native;

const PAIRS: string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Below this length a loop beats a call into the runtime. */
const SHORT = 8;

/** Text of one character per byte of `bytes[start..end)`; the caller has checked the bounds. */
export function latin1Range(bytes: Uint8Array, start: number, end: number): string {
  if (latin1Slice !== undefined && end - start > SHORT) return latin1Slice.call(bytes, start, end);
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}

/** Lowercase hex of `bytes[start..end)`; the caller has checked the bounds. */
export function hexRange(bytes: Uint8Array, start: number, end: number): string {
  if (hexSlice !== undefined && end - start > SHORT) return hexSlice.call(bytes, start, end);
  let text = '';
  for (let i = start; i < end; i++) text += PAIRS[bytes[i]!]!;
  return text;
}
