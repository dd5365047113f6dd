/** Larger ones are not drawn. */
const MAX_CHARACTERS = 200_000;
const TYPE = /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)((?:;[\w=-]+)*),/i;

/** What stands at the beginning of the bytes of each type, in base64. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  png: /^iVBORw0KGgo/,
  jpeg: /^\/9j\//,
  gif: /^R0lGOD/,
  webp: /^UklGR/,
  avif: /^AAAA/,
};

/** A `data:` URI that may be the source of an `<img>`: a picture of a known type, not too large, that begins as its type does. */
export function pictureOf(uri: string): string | undefined {
  const [head, type = '', parameters = ''] = TYPE.exec(uri) ?? [];
  if (head === undefined || uri.length > MAX_CHARACTERS) return undefined;
  const content = uri.slice(head.length);
  const isBase64 = /;base64$/i.test(parameters);
  if (type.toLowerCase() !== 'svg+xml') {
    return isBase64 && BEGINNINGS[type.toLowerCase()]?.test(content) ? uri : undefined;
  }
  if (isBase64) return uri;
  // Contracts write the markup as it is; in a URI a number sign would end it.
  return `${head}${encodeURIComponent(decoded(content))}`;
}

function decoded(content: string): string {
  try {
    return decodeURIComponent(content);
  } catch {
    return content; // percent signs of the markup itself
  }
}
