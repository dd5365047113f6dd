import { toHex } from '../hex.ts';
import type { ClarityPrincipal, ClarityValue } from './value.ts';

/** The text of a principal. */
export const principalText = ({ address, contract }: ClarityPrincipal): string =>
  contract === undefined ? address : `${address}.${contract}`;

/** A value as plain JSON: integers are decimal text, buffers hex, `some` is its value, `none` null, a tuple an object. */
export function jsonOfClarity(value: ClarityValue): unknown {
  switch (value.type) {
    case 'bool':
      return value.value;
    case 'int':
    case 'uint':
      return String(value.value);
    case 'buffer':
      return toHex(value.bytes);
    case 'principal':
      return principalText(value);
    case 'none':
      return null;
    case 'some':
      return jsonOfClarity(value.value);
    case 'ok':
      return { ok: jsonOfClarity(value.value) };
    case 'err':
      return { error: jsonOfClarity(value.value) };
    case 'list':
      return value.items.map(jsonOfClarity);
    case 'tuple':
      return Object.fromEntries(value.entries.map(({ name, value: each }) => [name, jsonOfClarity(each)]));
    default:
      return value.text;
  }
}
