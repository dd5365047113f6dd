import { hexRange } from './byte-text.ts';
import { CodecError } from './error.ts';

/** Below this length a loop beats the call into the runtime. */
const SHORT = 24;
const hasBuffer = typeof Buffer !== 'undefined';

/** Bytes as lowercase hex with a leading `0x`. */
export function toHex(bytes: Uint8Array): string {
  return `0x${bareHex(bytes)}`;
}

/** Bytes as lowercase hex without a prefix. */
export function bareHex(bytes: Uint8Array): string {
  return hexRange(bytes, 0, bytes.length);
}

/** The value of a hex digit's character code, or -1. */
function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Bytes of a hex text, with or without `0x`; anything else is a `CodecError`. */
export function fromHex(text: string): Uint8Array {
  const start = text.startsWith('0x') || text.startsWith('0X') ? 2 : 0;
  const length = (text.length - start) >> 1;
  if (hasBuffer && length > SHORT && (text.length & 1) === 0) {
    const buffer = Buffer.from(start === 0 ? text : text.slice(2), 'hex');
    // The runtime stops silently at the first bad digit; the loop below then names it.
    if (buffer.length === length) return new Uint8Array(buffer.buffer, buffer.byteOffset, length);
  }
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const high = digit(text.charCodeAt(start + 2 * i));
    const low = digit(text.charCodeAt(start + 2 * i + 1));
    if (high < 0 || low < 0) throw new CodecError('not a hex digit', i);
    bytes[i] = (high << 4) | low;
  }
  if ((text.length - start) & 1) throw new CodecError('odd number of hex digits', length);
  return bytes;
}
