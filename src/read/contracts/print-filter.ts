import { principalText } from '@cairn-stacks/codec/clarity/to-json';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError } from '@cairn-stacks/codec/error';
import { toHex } from '@cairn-stacks/codec/hex';
import { topicOf } from '../../chain/print-topic.ts';

export const comparisons = ['gt', 'gte', 'lt', 'lte'] as const;
type Comparison = (typeof comparisons)[number];

/** What a field of a printed value must be: equal to a text, or an integer beyond another one. */
export type ValueCondition = { path: readonly string[] } & ({ equals: string } | { is: Comparison; than: bigint });

/** What prints of a list have in common. */
export type PrintFilter = { topic?: string; values: readonly ValueCondition[] };

/** Whether a printed value matches; one of a type that this program does not know matches nothing. */
export function printMatches(value: Uint8Array, filter: PrintFilter): boolean {
  if (filter.topic === undefined && filter.values.length === 0) return true;
  try {
    return matchesPrint(decodeClarity(value), filter);
  } catch (error) {
    if (error instanceof CodecError) return false;
    throw error;
  }
}

function matchesPrint(value: ClarityValue, { topic, values }: PrintFilter): boolean {
  if (topic !== undefined && topicOf(value) !== topic) return false;
  return values.every(condition => fieldsAt(value, condition.path).some(field => holds(field, condition)));
}

/** The fields that a path leads to: through optionals and responses, and to each item of a list. */
export function fieldsAt(value: ClarityValue, path: readonly string[]): ClarityValue[] {
  switch (value.type) {
    case 'some':
    case 'ok':
    case 'err':
      return fieldsAt(value.value, path);
    case 'list':
      return value.items.flatMap(item => fieldsAt(item, path));
    default:
  }
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  const entry = value.type === 'tuple' ? value.entries.find(each => each.name === name) : undefined;
  return entry ? fieldsAt(entry.value, rest) : [];
}

function holds(field: ClarityValue, condition: ValueCondition): boolean {
  if ('equals' in condition) return textOf(field) === condition.equals;
  if (field.type !== 'int' && field.type !== 'uint') return false;
  const { is, than } = condition;
  if (is === 'gt') return field.value > than;
  if (is === 'gte') return field.value >= than;
  return is === 'lt' ? field.value < than : field.value <= than;
}

/** A value that has no parts, as a filter writes it. */
function textOf(value: ClarityValue): string | undefined {
  switch (value.type) {
    case 'int':
    case 'uint':
    case 'bool':
      return String(value.value);
    case 'buffer':
      return toHex(value.bytes);
    case 'principal':
      return principalText(value);
    case 'string-ascii':
    case 'string-utf8':
      return value.text;
    case 'none':
      return 'none';
    default:
      return undefined;
  }
}
