import { principalText } from '@cairn-stacks/codec/clarity/to-json';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';

/** JSON that is written as it is: integers of 128 bits have no JavaScript number. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A serialized value as the JSON of Chainhook 1.x; as bare hex if it cannot be decoded. */
export function valueText(bytes: Uint8Array): JsonText {
  try {
    return new JsonText(textOf(decodeClarity(bytes)));
  } catch (error) {
    if (error instanceof CodecError) return new JsonText(JSON.stringify(bareHex(bytes)));
    throw error;
  }
}

function textOf(value: ClarityValue): string {
  switch (value.type) {
    case 'int':
    case 'uint':
      return value.value.toString();
    case 'bool':
      return String(value.value);
    case 'buffer':
      return JSON.stringify(toHex(value.bytes));
    case 'principal':
      return JSON.stringify(principalText(value));
    case 'string-ascii':
    case 'string-utf8':
      return JSON.stringify(value.text);
    case 'none':
      return 'null';
    case 'some':
      return textOf(value.value);
    case 'ok':
    case 'err':
      return `{"result":{"success":${value.type === 'ok'},"value":${textOf(value.value)}}}`;
    case 'list':
      return `[${value.items.map(textOf).join(',')}]`;
    case 'tuple':
      return `{${value.entries.map(({ name, value: inner }) => `${JSON.stringify(name)}:${textOf(inner)}`).join(',')}}`;
  }
}

/** As `JSON.stringify`, with texts of values as they are. */
export function jsonOf(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${jsonOf(inner)}`).join(',')}}`;
}
