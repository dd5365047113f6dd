/** The bytes of a hexadecimal text, with or without 0x; undefined if it is not one. */
export function bytesOfHex(hex: string): Uint8Array | undefined {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex;
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) return undefined;
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16));
}

export const hexOfBytes = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');

/** The text of a memo: 34 bytes, padded with zeros. Undefined if it is empty; bytes that are no UTF-8 stay hexadecimal. */
export function memoText(hex: string): string | undefined {
  const bytes = bytesOfHex(hex);
  if (!bytes) return hex;
  const end = bytes.findLastIndex(byte => byte !== 0) + 1;
  if (end === 0) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end));
  } catch {
    return `0x${hexOfBytes(bytes.subarray(0, end))}`;
  }
}
