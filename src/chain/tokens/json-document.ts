import { parseJson5 } from '../../codec/json5.ts';

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

class TooComplex extends Error {}

function storable(value: unknown, depth: number, budget: { values: number }): unknown {
  if (--budget.values < 0) throw new TooComplex(`the document has more than ${MAX_VALUES} values`);
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) throw new TooComplex(`the document has more than ${MAX_DEPTH} levels`);
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
