import type { AbiType } from '../../codec/clarity/abi.ts';
import type { ClarityValue } from '../../codec/clarity/value.ts';

/** Whether a value may be passed where the type is asked for. */
export function fits(type: AbiType, value: ClarityValue): boolean {
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
  if ('optional' in type) return value.type === 'none' || (value.type === 'some' && fits(type.optional, value.value));
  if ('list' in type) {
    const { length, type: item } = type.list;
    return value.type === 'list' && value.items.length <= length && value.items.every(each => fits(item, each));
  }
  if ('tuple' in type) {
    if (value.type !== 'tuple' || value.entries.length !== type.tuple.length) return false;
    return type.tuple.every(({ name, type: field }) => {
      const entry = value.entries.find(each => each.name === name);
      return entry !== undefined && fits(field, entry.value);
    });
  }
  if (value.type === 'ok') return fits(type.response.ok, value.value);
  return value.type === 'err' && fits(type.response.error, value.value);
}
