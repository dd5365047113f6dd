import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';

/** The fields that contracts name the kind of a print by, in this order. */
export const topicFields = ['topic', 'event', 'action', 'notification'] as const;

/** The kind of a print: the text in one of `topicFields`, or the printed text itself. */
export function topicOf(value: ClarityValue): string | undefined {
  if (value.type === 'string-ascii' || value.type === 'string-utf8') return value.text;
  if (value.type !== 'tuple') return undefined;
  for (const name of topicFields) {
    const field = value.entries.find(entry => entry.name === name)?.value;
    if (field?.type === 'string-ascii' || field?.type === 'string-utf8') return field.text;
  }
  return undefined;
}
