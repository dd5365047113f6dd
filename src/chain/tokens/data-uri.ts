/** The content of a `data:` URI. */
export type DataContent = { type: string; bytes: Uint8Array };

export type DataProblem = 'too large' | 'not a data: URI' | 'wrong base64';

/** Base64 with the usual or the URL-safe alphabet. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

export const isDataUri = (uri: string): boolean => /^data:/i.test(uri);

/** Decodes a `data:` URI (RFC 2397) of at most `maxBytes`; `literal` leaves percent signs alone. */
export function decodeDataUri(uri: string, maxBytes: number, literal = false): DataContent | DataProblem {
  const comma = uri.indexOf(',');
  if (!isDataUri(uri) || comma < 0) return 'not a data: URI';
  // Checked before anything is decoded: no encoding takes more than four characters for a byte.
  if (uri.length - comma > 4 * maxBytes) return 'too large';
  const [type = '', ...parameters] = uri
    .slice('data:'.length, comma)
    .split(';')
    .map(part => part.trim().toLowerCase());
  const content = uri.slice(comma + 1);
  const bytes = literal ? Buffer.from(content) : decodePercent(content);
  if (!parameters.includes('base64')) return bytes.length > maxBytes ? 'too large' : { type, bytes };
  const text = bytes.toString('latin1').replace(/\s+/g, '');
  if (!BASE64.test(text)) return 'wrong base64';
  const decoded = Buffer.from(text, 'base64');
  return decoded.length > maxBytes ? 'too large' : { type, bytes: decoded };
}

/** Percent signs without two hex digits stay as they are: contracts write plain JSON too. */
function decodePercent(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (!text.includes('%')) return bytes;
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes[i] === 0x25 ? hexByte(bytes[i + 1], bytes[i + 2]) : undefined;
    bytes[length++] = code ?? bytes[i]!;
    if (code !== undefined) i += 2;
  }
  return bytes.subarray(0, length);
}

function hexByte(high: number | undefined, low: number | undefined): number | undefined {
  if (high === undefined || low === undefined) return undefined;
  const text = String.fromCharCode(high, low);
  return /^[0-9a-f]{2}$/i.test(text) ? Number.parseInt(text, 16) : undefined;
}
