/** The text of a memo without the zero bytes at its end; null when there is none. */
export function memoText(bytes: Uint8Array): string | null {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end === 0 ? null : Buffer.from(bytes.subarray(0, end)).toString('utf8');
}

/**
 * The bytes of a memo as one line of printable text: bad UTF-8 and characters that cannot be printed become spaces, runs of
 * white space one space, and none is left at either end.
 */
export const memoLine = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('utf8')
    .replace(/\p{C}/gu, ' ')
    .replace(/[\s\ufffd]+/gu, ' ')
    .trim();
