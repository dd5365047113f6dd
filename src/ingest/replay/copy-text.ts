// The text format of PostgreSQL COPY, byte by byte: bodies need not be valid UTF-8.

const BACKSLASH = 0x5c;
const letters: Record<number, number> = { 98: 8, 102: 12, 110: 10, 114: 13, 116: 9, 118: 11 }; // b f n r t v
const escaped: Record<number, string> = { 9: 't', 10: 'n', 13: 'r', [BACKSLASH]: '\\' };

/** Undoes the escapes of COPY, the numeric ones too. */
export function unescapeCopy(text: Buffer): Buffer {
  let at = text.indexOf(BACKSLASH);
  if (at < 0) return text;
  const out = Buffer.allocUnsafe(text.length);
  let from = 0;
  let size = 0;
  for (; at >= 0 && at + 1 < text.length; at = text.indexOf(BACKSLASH, from)) {
    size += text.copy(out, size, from, at);
    const { value, length } = readEscape(text, at + 1);
    out[size++] = value;
    from = at + 1 + length;
  }
  size += text.copy(out, size, from);
  return out.subarray(0, size);
}

/** The byte that the escape means whose first character after the backslash is at `at`. */
function readEscape(text: Buffer, at: number): { value: number; length: number } {
  const first = text[at]!;
  const letter = letters[first];
  if (letter !== undefined) return { value: letter, length: 1 };
  const ahead = text.toString('latin1', at, at + 3);
  const digits = /^[0-7]{1,3}/.exec(ahead)?.[0];
  if (digits) return { value: Number.parseInt(digits, 8) & 0xff, length: digits.length };
  const hex = /^x([0-9a-f]{1,2})/i.exec(ahead)?.[1];
  if (hex) return { value: Number.parseInt(hex, 16), length: hex.length + 1 };
  return { value: first, length: 1 };
}

/** Escapes the characters that would end a column or a line; `numeric` writes `\x5c` instead of `\\`. */
export function escapeCopy(bytes: Buffer, style: 'letters' | 'numeric' = 'letters'): Buffer {
  if (!needsEscape(bytes)) return bytes;
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const letter = escaped[byte];
    if (letter === undefined) continue;
    parts.push(bytes.subarray(from, at));
    parts.push(Buffer.from(style === 'letters' ? `\\${letter}` : `\\x${byte.toString(16).padStart(2, '0')}`));
    from = at + 1;
  }
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
}

export function needsEscape(bytes: Buffer): boolean {
  return bytes.includes(BACKSLASH) || bytes.includes(0x09) || bytes.includes(0x0a) || bytes.includes(0x0d);
}
