import { type AbiType, abiTypeText } from '@cairn-stacks/codec/clarity/abi';
import { typeText } from '@cairn-stacks/codec/clarity/type';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';

/** True if a value has the type. */
export function matchesType(type: AbiType, value: ClarityValue): boolean {
  if (typeof type === 'string') {
    switch (type) {
      case 'uint128':
        return value.type === 'uint';
      case 'int128':
        return value.type === 'int';
      case 'none':
        return value.type === 'none';
      case 'trait_reference':
        return value.type === 'principal' && value.contract !== undefined;
      default:
        return value.type === type;
    }
  }
  if ('buffer' in type) return value.type === 'buffer' && value.bytes.length <= type.buffer.length;
  if ('string-ascii' in type) return value.type === 'string-ascii' && value.text.length <= type['string-ascii'].length;
  if ('string-utf8' in type)
    return value.type === 'string-utf8' && [...value.text].length <= type['string-utf8'].length;
  if ('optional' in type)
    return value.type === 'none' || (value.type === 'some' && matchesType(type.optional, value.value));
  if ('list' in type) {
    const { length, type: item } = type.list;
    return value.type === 'list' && value.items.length <= length && value.items.every(each => matchesType(item, each));
  }
  if ('tuple' in type) {
    if (value.type !== 'tuple' || value.entries.length !== type.tuple.length) return false;
    return type.tuple.every(({ name, type: field }) => {
      const entry = value.entries.find(each => each.name === name);
      return entry !== undefined && matchesType(field, entry.value);
    });
  }
  if (value.type === 'ok') return matchesType(type.response.ok, value.value);
  return value.type === 'err' && matchesType(type.response.error, value.value);
}

/** Why arguments do not fit a function, in the words of a node; undefined if they fit. */
export function argumentProblem(
  expected: readonly (readonly [string, AbiType])[],
  args: readonly ClarityValue[],
): string | undefined {
  if (args.length !== expected.length) return `expecting ${expected.length} arguments, got ${args.length}`;
  const wrong = expected.findIndex(([, type], i) => !matchesType(type, args[i]!));
  if (wrong < 0) return undefined;
  return `expecting expression of type '${abiTypeText(expected[wrong]![1])}', found '${typeText(args[wrong]!)}'`;
}
