import { ClaritySyntaxError, parseClarity } from './parse.ts';
import type { ClarityTree } from './value.ts';

/** A type in the interface of a contract: `uint128`, `{ optional: … }`, `{ buffer: { length: 20 } }`, … */
export type AbiType =
  | string
  | { optional: AbiType }
  | { buffer: { length: number } }
  | { 'string-ascii': { length: number } }
  | { 'string-utf8': { length: number } }
  | { list: { type: AbiType; length: number } }
  | { response: { ok: AbiType; error: AbiType } }
  | { tuple: { name: string; type: AbiType }[] };

/** A type as Clarity writes it. */
export function typeText(type: AbiType): string {
  if (typeof type === 'string') return type === 'uint128' ? 'uint' : type === 'int128' ? 'int' : type;
  if ('optional' in type) return `(optional ${typeText(type.optional)})`;
  if ('buffer' in type) return `(buff ${type.buffer.length})`;
  if ('string-ascii' in type) return `(string-ascii ${type['string-ascii'].length})`;
  if ('string-utf8' in type) return `(string-utf8 ${type['string-utf8'].length})`;
  if ('list' in type) return `(list ${type.list.length} ${typeText(type.list.type)})`;
  if ('response' in type) return `(response ${typeText(type.response.ok)} ${typeText(type.response.error)})`;
  return `{ ${type.tuple.map(field => `${field.name}: ${typeText(field.type)}`).join(', ')} }`;
}

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
export function readArgument(type: AbiType, text: string): ClarityTree {
  const value = text.trim();
  if (typeof type === 'object' && 'optional' in type) {
    if (value === '' || value === 'none') return { kind: 'none', text: 'none' };
    if (value.startsWith('(some ')) return parseClarity(value);
    return { kind: 'some', value: readArgument(type.optional, value) };
  }
  if (type === 'uint128' && /^u?\d+$/.test(value)) return { kind: 'uint', text: value.replace('u', '') };
  if (typeof type === 'object' && 'string-ascii' in type) return stringOf('ascii', value);
  if (typeof type === 'object' && 'string-utf8' in type) return stringOf('utf8', value);
  if (value === '') throw new ClaritySyntaxError('a value is needed');
  const tree = parseClarity(value);
  const wanted = kindOf(type);
  if (wanted !== undefined && tree.kind !== wanted) throw new ClaritySyntaxError(`expected ${typeText(type)}`);
  return tree;
}

/** A quoted text is read with its escapes; any other text stands for itself. */
function stringOf(kind: 'ascii' | 'utf8', value: string): ClarityTree {
  if (/^u?"(.|\n)*"$/.test(value)) {
    const tree = parseClarity(kind === 'utf8' && value.startsWith('"') ? `u${value}` : value);
    if (tree.kind === kind) return tree;
  }
  return { kind, text: value };
}

function kindOf(type: AbiType): ClarityTree['kind'] | undefined {
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
