/** Characters that do not show or change the direction of a text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;
const MAX_UNTRUSTED = 2000;

/** Text that strangers have put on the chain, under a key that says so. */
export type Untrusted = { untrusted_text: string; truncated_from?: number };

/** Marks a text of the chain as data: cut to `max` characters, without characters that do not show (line breaks stay). */
export function untrusted(text: string, max = MAX_UNTRUSTED): Untrusted {
  const visible = text.replaceAll(HIDDEN, character => (character === '\n' ? '\n' : '\ufffd'));
  return visible.length > max
    ? { untrusted_text: `${visible.slice(0, max)}…`, truncated_from: text.length }
    : { untrusted_text: visible };
}

/** Marks every text of a response that is not known in advance: keys are those of the API, texts may be anybody's. */
export function untrustedTexts(value: unknown, max = MAX_UNTRUSTED): unknown {
  if (typeof value === 'string') return isPlain(value) ? value : untrusted(value, max);
  if (Array.isArray(value)) return value.map(item => untrustedTexts(item, max));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanKey(key), untrustedTexts(item, max)]));
}

/** Numbers, hashes, addresses, identifiers and single words say nothing that could be taken for an order. */
const isPlain = (text: string) => text.length <= 200 && /^[\w.:+-]*$/.test(text);

const cleanKey = (key: string) => (isPlain(key) ? key : key.replaceAll(/[^\w.:+-]/g, '_').slice(0, 200));

/** The text in a buffer of a memo; undefined if there is none. */
export function memoText(hex: string): Untrusted | undefined {
  const text = Buffer.from(hex.replace(/^0x/, ''), 'hex').toString('utf8').replaceAll('\0', '').trim();
  return text === '' ? undefined : untrusted(text);
}
