import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';

/** A value that a read-only function returned: read, absent (null), or of an unexpected type. */
export type ReadValue<T> = { value: T | null } | { unexpected: string };

/** A text; `none` and the empty text are absent. */
export function readText(result: ClarityValue): ReadValue<string> {
  const inner = unwrap(result);
  if (inner.type === 'none') return { value: null };
  if (inner.type !== 'string-ascii' && inner.type !== 'string-utf8') return unexpected(inner);
  return { value: inner.text === '' ? null : storable(inner.text) };
}

/** A number without sign. */
export function readUint(result: ClarityValue): ReadValue<bigint> {
  const inner = unwrap(result);
  return inner.type === 'uint' ? { value: inner.value } : unexpected(inner);
}

/** Contracts nest `ok` and `some` in any order and depth. */
function unwrap(value: ClarityValue): ClarityValue {
  let inner = value;
  while (inner.type === 'ok' || inner.type === 'some') inner = inner.value;
  return inner;
}

const unexpected = ({ type }: ClarityValue) => ({
  unexpected: type === 'err' ? 'an error response' : `a value of type ${type}`,
});

/** PostgreSQL cannot store U+0000. */
const storable = (text: string) => text.replaceAll('\0', '\ufffd');

/** The URI that clients see: `{id}` is replaced by the number of the token (SIP-016). */
export const tokenUriOf = (uri: string, number: bigint): string => uri.replace(/\{id\}/gi, String(number));
