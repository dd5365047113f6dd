import { sortTuples } from './build.ts';
import { type ClarityValue, decodeClarity } from './value.ts';

/** The type of a serialized value, as far as the value shows it. */
export function typeOfClarity(bytes: Uint8Array): string {
  return typeText(sortTuples(decodeClarity(bytes)));
}

/** The type of a value, as far as the value shows it; the rest is `UnknownType`. */
export function typeText(value: ClarityValue): string {
  switch (value.type) {
    case 'int':
    case 'uint':
    case 'bool':
    case 'principal':
      return value.type;
    case 'buffer':
      return `(buff ${value.bytes.length})`;
    case 'string-ascii':
      return `(string-ascii ${value.text.length})`;
    case 'string-utf8':
      // Four bytes for each character, as the node allocates.
      return `(string-utf8 ${4 * countCharacters(value.text)})`;
    case 'none':
      return '(optional UnknownType)';
    case 'some':
      return `(optional ${typeText(value.value)})`;
    case 'ok':
      return `(response ${typeText(value.value)} UnknownType)`;
    case 'err':
      return `(response UnknownType ${typeText(value.value)})`;
    case 'list': {
      const [first] = value.items;
      return `(list ${value.items.length} ${first === undefined ? 'UnknownType' : typeText(first)})`;
    }
    case 'tuple':
      return `(tuple${value.entries.map(entry => ` (${entry.name} ${typeText(entry.value)})`).join('')})`;
  }
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
