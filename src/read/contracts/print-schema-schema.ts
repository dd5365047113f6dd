import { reprClarity, reprValue } from '@cairn-stacks/codec/clarity/repr';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { moreFields } from '../../chain/print-shape.ts';
import { ClarityText } from './clarity-schema.ts';
import { fieldsAt } from './print-filter.ts';
import type { PrintShapeRow, PrintShapes } from './print-shapes-queries.ts';

/** Prints of more bytes are no examples. */
export const MAX_EXAMPLE = 1024;
const MAX_FIELD_EXAMPLE = 100;

const FieldType = Type.Object(
  {
    type: Type.String({
      description:
        'The type without sizes: `int`, `uint`, `bool`, `principal`, `buff`, `string-ascii`, `string-utf8`, `none`, `tuple` where the ' +
        'fields of a tuple follow, `(optional T)`, `(ok T)`, `(err T)`, and `(list T)` with the type of the first item.',
    }),
    count: Type.Integer({ description: 'Number of prints with this type here.' }),
    example: Type.Union([Type.String(), Type.Null()], {
      description: `A value as Clarity source, without what it is wrapped in, up to ${MAX_FIELD_EXAMPLE} characters; null where the first print was too large to show.`,
    }),
  },
  { title: 'PrintFieldType' },
);

const Field = Type.Object(
  {
    path: Type.String({
      description:
        'Names with dots between them, as filters of logs take them after `value.`; empty for a value that is no tuple. ' +
        'A path leads through optionals, responses and lists.',
    }),
    count: Type.Integer({ description: 'Number of prints with this field.' }),
    types: Type.Array(FieldType, { description: 'The types that the field had, the most frequent first.' }),
  },
  { title: 'PrintField' },
);

const Example = Type.Object(
  {
    block_height: Type.Integer({ description: 'Height of the block.' }),
    tx_id: Type.String({ description: 'Id of the transaction.' }),
    event_index: Type.Integer({ description: 'Index of the event in the transaction.' }),
    value: ClarityText,
  },
  { title: 'PrintExample' },
);

const Topic = Type.Object(
  {
    topic: Type.Union([Type.String(), Type.Null()], {
      description:
        'The text in the field `topic`, `event`, `action` or `notification`, or the printed text itself, as the filter `topic` of logs; ' +
        'null for prints that name none, or one of more than 128 bytes.',
    }),
    count: Type.Integer({ description: 'Number of prints.' }),
    first_block_height: Type.Integer({ description: 'Height of the block of the first of them.' }),
    last_block_height: Type.Integer({ description: 'Height of the block of the last of them.' }),
    fields: Type.Array(Field, { description: 'The fields of the values, in the order of the first print.' }),
    has_more_fields: Type.Boolean({
      description:
        'Whether fields are left out: a print has fields deeper than 8 names, or more than 2,000 characters of names and types.',
    }),
    example: Type.Union([Example, Type.Null()], {
      description: `The first print of up to ${MAX_EXAMPLE} bytes among the first ones of each shape; null if there is none.`,
    }),
  },
  { title: 'PrintTopic' },
);

export const PrintSchema = Type.Object(
  {
    contract_id: Type.String({ description: 'The contract.' }),
    count: Type.Integer({ description: 'Number of times that it has printed.' }),
    uncounted: Type.Integer({
      description:
        'Number of prints that no topic counts: those of further shapes after the first 100 of a contract, and those that a release ' +
        'without print schemas has folded.',
    }),
    topics: Type.Array(Topic, { description: 'Kinds of prints, the most frequent first.' }),
  },
  { title: 'PrintSchema' },
);
export type PrintSchema = Static<typeof PrintSchema>;

export function renderPrintSchema(contractId: string, { total, shapes }: PrintShapes): PrintSchema {
  const topics = new Map<string | null, PrintShapeRow[]>();
  for (const shape of shapes) {
    const topic = shape.topic?.toString() ?? null;
    const same = topics.get(topic);
    if (same) same.push(shape);
    else topics.set(topic, [shape]);
  }
  return {
    contract_id: contractId,
    count: total,
    uncounted: total - shapes.reduce((sum, shape) => sum + shape.total, 0),
    topics: [...topics].map(([topic, rows]) => renderTopic(topic, rows)).sort((a, b) => b.count - a.count),
  };
}

function renderTopic(topic: string | null, rows: readonly PrintShapeRow[]): Static<typeof Topic> {
  const fields = new Map<string, Map<string, Static<typeof FieldType>>>();
  let hasMore = false;
  for (const row of rows) {
    const value = row.value === null ? undefined : decodeClarity(row.value);
    for (const line of row.fields === '' ? [] : row.fields.split('\n')) {
      if (line === moreFields) hasMore = true;
      else count(fields, line, row.total, value);
    }
  }
  const example = rows.find(row => row.value !== null);
  return {
    topic,
    count: rows.reduce((sum, row) => sum + row.total, 0),
    first_block_height: rows[0]!.height,
    last_block_height: Math.max(...rows.map(row => row.last_height)),
    fields: [...fields].map(([path, types]) => ({
      path,
      count: [...types.values()].reduce((sum, type) => sum + type.count, 0),
      types: [...types.values()].sort((a, b) => b.count - a.count),
    })),
    has_more_fields: hasMore,
    example: example ? renderExample(example) : null,
  };
}

/** Adds prints with a field of one type, as a line of a shape says. */
function count(
  fields: Map<string, Map<string, Static<typeof FieldType>>>,
  line: string,
  total: number,
  value: ClarityValue | undefined,
): void {
  const gap = line.indexOf(' ');
  const [path, type] = [line.slice(0, gap), line.slice(gap + 1)];
  const types = fields.get(path) ?? new Map<string, Static<typeof FieldType>>();
  fields.set(path, types);
  const known = types.get(type) ?? { type, count: 0, example: null };
  known.count += total;
  known.example ??= value ? exampleOf(value, path) : null;
  types.set(type, known);
}

function exampleOf(value: ClarityValue, path: string): string | null {
  const [field] = fieldsAt(value, path === '' ? [] : path.split('.'));
  return field ? reprValue(field).slice(0, MAX_FIELD_EXAMPLE) : null;
}

function renderExample({ height, tx_id, event_index, value }: PrintShapeRow): Static<typeof Example> {
  const bytes = value!;
  const text = { hex: toHex(bytes), repr: reprClarity(bytes) };
  return { block_height: height, tx_id: toHex(tx_id), event_index, value: text };
}
