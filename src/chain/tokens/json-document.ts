import { parseJson5 } from './json5.ts';

/** Why a document cannot be read. */
export type DocumentProblem = { problem: string };

const MAX_DEPTH = 32;
/** Maximum number of values in a document: objects, lists, texts, numbers. */
const MAX_VALUES = 20_000;

/**
 * Reads the text of a document: JSON, or JSON5 where it is not JSON, as the published service accepts. The caller bounds the
 * length. The result can be stored: no key `__proto__`, no NUL, no half of a surrogate pair, no infinite number.
 */
export function readJsonDocument(text: string): { value: unknown } | DocumentProblem {
  // Before anything is built: parsing a million brackets would block the process.
  const tooComplex = complexityProblem(text);
  if (tooComplex !== undefined) return { problem: tooComplex };
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { problem: 'the document is not JSON' };
  }
  const budget = { values: MAX_VALUES };
  try {
    return { value: storable(parsed, 0, budget) };
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return { problem: error.message };
  }
}

function parse(text: string): unknown {
  const plain = text.replace(/^\ufeff/, '');
  try {
    return JSON.parse(plain);
  } catch {
    // Rare, and slower: only documents that are not JSON get here.
    return parseJson5(plain);
  }
}

const QUOTES: ReadonlySet<number> = new Set([0x22, 0x27]);
const [BACKSLASH, COMMA] = [0x5c, 0x2c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Counts brackets and commas outside of texts. */
function complexityProblem(text: string): string | undefined {
  let quote = 0;
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (quote !== 0) {
      if (code === BACKSLASH) i++;
      else if (code === quote) quote = 0;
    } else if (QUOTES.has(code)) quote = code;
    else if (OPENING.has(code)) {
      values++;
      if (++depth > MAX_DEPTH) return TOO_DEEP;
    } else if (CLOSING.has(code)) depth--;
    else if (code === COMMA) values++;
    if (values > MAX_VALUES) return TOO_MANY;
  }
  return undefined;
}

const TOO_DEEP = `the document has more than ${MAX_DEPTH} levels`;
const TOO_MANY = `the document has more than ${MAX_VALUES} values`;

class TooComplex extends Error {}

function storable(value: unknown, depth: number, budget: { values: number }): unknown {
  if (--budget.values < 0) throw new TooComplex(TOO_MANY);
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) throw new TooComplex(TOO_DEEP);
  if (Array.isArray(value)) return value.map(item => storable(item, depth + 1, budget));
  // `fromEntries` defines properties: no key can change a prototype.
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      key === '__proto__' ? [] : [[storableText(key), storable(item, depth + 1, budget)]],
    ),
  );
}

/** PostgreSQL takes neither NUL nor half of a surrogate pair. */
const storableText = (text: string) => text.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
