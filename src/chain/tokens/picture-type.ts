/** Bytes at the beginning of the formats that browsers draw. */
const SIGNATURES: readonly [type: string, at: number, bytes: string][] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavif'],
  ['image/avif', 4, 'ftypavis'],
];

/** An SVG document, after a declaration, a document type and comments. */
const SVG = /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE\s+svg[^>[]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*<svg[\s>]/i;
/** How far the beginning of an SVG document is looked at. */
const SVG_HEAD = 4096;

/** The media type that the bytes of a picture have, whatever its server says; undefined if they are no picture. */
export function pictureTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 16);
  const found = SIGNATURES.find(([, at, signature]) => head.startsWith(signature, at));
  if (found) return found[0];
  return SVG.test(bytes.toString('utf8', 0, SVG_HEAD)) ? 'image/svg+xml' : undefined;
}
