import { fromHex, toHex } from '@cairn-stacks/codec/hex';

/** The text of a memo: 34 bytes, padded with zeros. Undefined if it is empty; bytes that are no UTF-8 stay hexadecimal. */
export function memoText(hex: string): string | undefined {
  if (!/^(0x)?([0-9a-f]{2})*$/i.test(hex)) return hex;
  const bytes = fromHex(hex);
  const end = bytes.findLastIndex(byte => byte !== 0) + 1;
  if (end === 0) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end));
  } catch {
    return toHex(bytes.subarray(0, end));
  }
}
