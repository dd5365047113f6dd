/** The text of a memo without the zero bytes at its end; null when there is none. */
export function memoText(bytes: Uint8Array): string | null {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end === 0 ? null : Buffer.from(bytes.subarray(0, end)).toString('utf8');
}
