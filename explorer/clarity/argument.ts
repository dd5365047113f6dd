import { type AbiType, abiTypeText } from '@cairn-stacks/codec/clarity/abi';
import { none, some, stringAscii, stringUtf8, uint } from '@cairn-stacks/codec/clarity/build';
import { ClaritySyntaxError, parseClarity } from '@cairn-stacks/codec/clarity/parse';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';

/** An example of what to write for a type. */
export function exampleOf(type: AbiType): string {
  if (type === 'uint128' || type === 'int128') return '5';
  if (type === 'bool') return 'true';
  if (type === 'principal' || type === 'trait_reference') return 'ST…';
  if (typeof type === 'string') return type;
  if ('optional' in type) return `none, or ${exampleOf(type.optional)}`;
  if ('buffer' in type) return '0x00ff';
  if ('string-ascii' in type || 'string-utf8' in type) return 'text';
  if ('list' in type) return '(list …)';
  if ('tuple' in type) return `{ ${type.tuple.map(field => `${field.name}: …`).join(', ')} }`;
  return '(ok …)';
}

/** What a person writes for a type: numbers need no `u`, texts no quotes, an optional no `some`. */
export function readArgument(type: AbiType, text: string): ClarityValue {
  const value = text.trim();
  if (typeof type === 'object' && 'optional' in type) {
    if (value === '' || value === 'none') return none;
    if (value.startsWith('(some ')) return parseClarity(value);
    return some(readArgument(type.optional, value));
  }
  if (type === 'uint128' && /^u?\d{1,39}$/.test(value)) return uint(BigInt(value.replace('u', '')));
  if (typeof type === 'object' && 'string-ascii' in type) return quoted(stringAscii, value);
  if (typeof type === 'object' && 'string-utf8' in type) return quoted(stringUtf8, value);
  if (value === '') throw new ClaritySyntaxError('a value is needed');
  const parsed = parseClarity(value);
  const wanted = valueType(type);
  if (wanted !== undefined && parsed.type !== wanted) throw new ClaritySyntaxError(`expected ${abiTypeText(type)}`);
  return parsed;
}

/** A quoted text is read with its escapes; any other text stands for itself. */
function quoted(build: typeof stringAscii | typeof stringUtf8, text: string): ClarityValue {
  if (/^u?"(.|\n)*"$/.test(text)) {
    const parsed = parseClarity(build === stringUtf8 && text.startsWith('"') ? `u${text}` : text);
    if (parsed.type === build('').type) return parsed;
  }
  return build(text);
}

/** The type of the values of an interface type; undefined where several are possible. */
function valueType(type: AbiType): ClarityValue['type'] | undefined {
  if (type === 'uint128') return 'uint';
  if (type === 'int128') return 'int';
  if (type === 'bool') return 'bool';
  if (type === 'principal' || type === 'trait_reference') return 'principal';
  if (typeof type === 'string') return undefined;
  if ('buffer' in type) return 'buffer';
  if ('list' in type) return 'list';
  if ('tuple' in type) return 'tuple';
  return undefined;
}
