import { isPrincipal } from '../address/principal.ts';
import { fromHex } from '../hex.ts';
import { type AbiType, abiTypeText } from './abi.ts';
import {
  bool,
  buffer,
  err,
  int,
  list,
  none,
  ok,
  principal,
  some,
  stringAscii,
  stringUtf8,
  tuple,
  uint,
} from './build.ts';
import type { ClarityValue } from './value.ts';

/** A JSON value that does not fit its Clarity type; `path` says where. */
export class TypeMismatch extends Error {
  override name = 'TypeMismatch';

  constructor(path: string, expected: string) {
    super(`${path}: expected ${expected}`);
  }
}

const UINT_END = 2n ** 128n;
const INT_END = 2n ** 127n;

/**
 * A Clarity value of a type out of JSON: an integer is a number or a text of digits, a buffer is hex text with `0x`, an
 * optional is null or its value, a response is `{"ok": …}` or `{"error": …}`, a tuple is an object and a list an array.
 */
export function clarityFromJson(type: AbiType, json: unknown, path: string): ClarityValue {
  const fail = (expected: string) => new TypeMismatch(path, expected);
  if (typeof type === 'string') return scalarFromJson(type, json, path);
  if ('optional' in type) return json === null ? none : some(clarityFromJson(type.optional, json, path));
  if ('buffer' in type) {
    const { length } = type.buffer;
    if (typeof json !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(json)) throw fail('hex text such as "0x00ff"');
    if (json.length / 2 - 1 > length) throw fail(`at most ${length} bytes`);
    return buffer(fromHex(json));
  }
  if ('string-ascii' in type) {
    const { length } = type['string-ascii'];
    if (typeof json !== 'string' || /[^\x20-\x7e\t\n\r]/.test(json)) throw fail('text of ASCII characters');
    if (json.length > length) throw fail(`at most ${length} characters`);
    return stringAscii(json);
  }
  if ('string-utf8' in type) {
    const { length } = type['string-utf8'];
    if (typeof json !== 'string' || /\p{Surrogate}/u.test(json)) throw fail('text');
    if ([...json].length > length) throw fail(`at most ${length} characters`);
    return stringUtf8(json);
  }
  if ('list' in type) {
    const { length, type: item } = type.list;
    if (!Array.isArray(json)) throw fail(`an array for ${abiTypeText(type)}`);
    if (json.length > length) throw fail(`at most ${length} items`);
    return list(json.map((each, index) => clarityFromJson(item, each, `${path}[${index}]`)));
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw fail(`an object for ${abiTypeText(type)}`);
  const object = json as Record<string, unknown>;
  if ('response' in type) return responseFromJson(type.response, object, path);
  const names = type.tuple.map(field => field.name);
  const unknown = Object.keys(object).find(name => !names.includes(name));
  if (unknown !== undefined) throw fail(`only the keys ${names.join(', ')}`);
  const missing = names.find(name => !Object.hasOwn(object, name));
  if (missing !== undefined) throw fail(`the key ${missing}`);
  return tuple(
    Object.fromEntries(
      type.tuple.map(field => [field.name, clarityFromJson(field.type, object[field.name], `${path}.${field.name}`)]),
    ),
  );
}

function scalarFromJson(type: string, json: unknown, path: string): ClarityValue {
  switch (type) {
    case 'uint128': {
      const value = integerOf(json);
      if (value === undefined || value < 0n || value >= UINT_END) throw new TypeMismatch(path, 'a uint below 2^128');
      return uint(value);
    }
    case 'int128': {
      const value = integerOf(json);
      if (value === undefined || value < -INT_END || value >= INT_END) {
        throw new TypeMismatch(path, 'an int of 128 bits');
      }
      return int(value);
    }
    case 'bool':
      if (typeof json !== 'boolean') throw new TypeMismatch(path, 'true or false');
      return bool(json);
    case 'principal':
    case 'trait_reference':
      if (typeof json !== 'string' || !isPrincipal(json)) throw new TypeMismatch(path, 'an address or a contract id');
      return principal(json);
    default:
      throw new TypeMismatch(path, `no value, because the type ${type} is not known`);
  }
}

/** Numbers that JSON cannot hold exactly must be texts. */
function integerOf(json: unknown): bigint | undefined {
  if (typeof json === 'number') return Number.isSafeInteger(json) ? BigInt(json) : undefined;
  return typeof json === 'string' && /^-?\d{1,39}$/.test(json) ? BigInt(json) : undefined;
}

type Response = { ok: AbiType; error: AbiType };

function responseFromJson(type: Response, json: Record<string, unknown>, path: string): ClarityValue {
  const keys = Object.keys(json);
  if (keys.length === 1 && keys[0] === 'ok') return ok(clarityFromJson(type.ok, json.ok, `${path}.ok`));
  if (keys.length === 1 && keys[0] === 'error') return err(clarityFromJson(type.error, json.error, `${path}.error`));
  throw new TypeMismatch(path, '{"ok": …} or {"error": …}');
}
