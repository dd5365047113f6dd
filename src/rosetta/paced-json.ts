import { createHash } from 'node:crypto';
import type { Pace } from './pace.ts';

/** A response with a longer list is large. */
const LARGE_LIST_ROWS = 1000;
/** Length of text that is encoded at once. */
const CHUNK = 1 << 16;

/** JSON as bytes, with the weak ETag that the same text would have. */
export type JsonBytes = { bytes: Buffer; etag: string };

/** True if a response contains a list that takes long to serialize. */
export function isLarge(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > LARGE_LIST_ROWS || value.some(isLarge);
  return Object.values(value).some(isLarge);
}

/** Serializes JSON as `JSON.stringify` does, and yields to the event loop in between. */
export async function writePacedJson(value: unknown, pace: Pace): Promise<JsonBytes> {
  const chunks: Buffer[] = [];
  const hash = createHash('sha1');
  let text = '';
  const flush = () => {
    const chunk = Buffer.from(text);
    hash.update(chunk);
    chunks.push(chunk);
    text = '';
  };
  for (const part of partsOf(value)) {
    text += part;
    if (text.length > CHUNK) flush();
    if (pace.isDue()) await pace.rest();
  }
  flush();
  const bytes = Buffer.concat(chunks);
  return { bytes, etag: weakEtag(bytes.length, hash.digest('base64')) };
}

export const weakEtag = (length: number, digest: string) => `W/"${length.toString(16)}-${digest.slice(0, 27)}"`;

/** The JSON of a value in parts; large lists item by item. */
function* partsOf(value: unknown): Generator<string> {
  if (!isLarge(value)) yield JSON.stringify(value);
  else if (Array.isArray(value)) {
    for (const [i, entry] of value.entries()) {
      yield i === 0 ? '[' : ',';
      yield* partsOf(entry ?? null);
    }
    yield ']';
  } else {
    const entries = Object.entries(value as object).filter(([, entry]) => entry !== undefined);
    for (const [i, [name, entry]] of entries.entries()) {
      yield `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`;
      yield* partsOf(entry);
    }
    yield '}';
  }
}
