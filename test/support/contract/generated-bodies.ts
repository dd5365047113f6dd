import fc from 'fast-check';
import type { OpenApi } from '../../../src/api/docs/openapi.ts';
import { goodTexts, junkText, type TextSchema } from './generated-texts.ts';

type BodySchema = TextSchema & {
  $ref?: string;
  properties?: Record<string, BodySchema>;
  required?: string[];
  items?: BodySchema;
  anyOf?: BodySchema[];
};
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The parts of a body are looked at no deeper than that. */
const maxDepth = 8;

const junkJson: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    1e300,
    '',
    ' ',
    '0x',
    '-5',
    [],
    [null],
    {},
    { a: [] },
  ),
  fc.constantFrom<Json>(
    { length: 3 },
    { toString: 1 },
    ['__proto__'],
    'ab'.repeat(20_000),
    Array(500).fill(0) as Json[],
  ),
  junkText,
  fc.json({ maxDepth: 2 }).map(text => JSON.parse(text) as Json),
);

/** Values that a schema of the document allows. */
function valuesOf(document: OpenApi, schema: BodySchema, depth = 0): fc.Arbitrary<Json> {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return valuesOf(document, document.components!.schemas![name] as BodySchema, depth);
  if (depth > maxDepth) return fc.constant(null);
  const inner = (each: BodySchema) => valuesOf(document, each, depth + 1);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(inner));
  if (schema.enum) return fc.constantFrom(...(schema.enum as Json[]));
  if (schema.const !== undefined) return fc.constant(schema.const as Json);
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return goodTexts(schema, []).map(Number);
    case 'array':
      return fc.array(inner(schema.items ?? {}), { maxLength: 4 });
    case 'string':
      return goodTexts(schema, []);
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([key, field]) => [key, inner(field)] as const);
      return fc.record(Object.fromEntries(fields), {
        requiredKeys: (schema.required ?? []) as never[],
      }) as fc.Arbitrary<Json>;
    }
  }
  return junkJson;
}

/** The places in a value, each as the keys that lead there. */
function placesIn(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return [path];
  const entries = Array.isArray(value) ? value.map((item, i) => [i, item] as const) : Object.entries(value);
  return [path, ...entries.flatMap(([key, item]) => placesIn(item, [...path, key]))];
}

/** A copy with something else, or nothing, in one place. */
function replaced(value: Json, path: readonly (string | number)[], other: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return other ?? null;
  const copy = structuredClone(value) as Record<string | number, Json>;
  if (rest.length > 0) copy[key] = replaced(copy[key]!, rest, other);
  else if (other === undefined) delete copy[key];
  else copy[key] = other;
  return copy as Json;
}

/** A value with a few of its places changed. */
const changed = (value: Json): fc.Arbitrary<Json> => {
  const change = fc.tuple(fc.nat(), fc.option(junkJson, { nil: undefined, freq: 4 }));
  return fc.array(change, { minLength: 1, maxLength: 3 }).map(changes =>
    changes.reduce<Json>((current, [pick, other]) => {
      const places = placesIn(current);
      return replaced(current, places[pick % places.length]!, other);
    }, value),
  );
};

/** Texts that are no JSON, or JSON that no schema means. */
const brokenTexts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '}',
    '[',
    '"',
    'nul',
    '{"a":}',
    '{"a":1,}',
    '\u0000',
    '\ufeff{}',
    '{}{}',
    '{"__proto__":{"a":1}}',
  ),
  fc.constantFrom(
    '['.repeat(5000),
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    '{"a":'.repeat(3000),
    '1e99999',
    '"\\ud800"',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

/** Bodies of JSON: what the schema allows, the example with changes, and what is broken. */
export function jsonBodies(document: OpenApi, schema: object, example: unknown): fc.Arbitrary<string> {
  const good = valuesOf(document, schema as BodySchema);
  const base = example === undefined ? good : fc.constant(example as Json);
  return fc.oneof(
    { weight: 3, arbitrary: base.map(value => JSON.stringify(value)) },
    { weight: 6, arbitrary: base.chain(changed).map(value => JSON.stringify(value)) },
    { weight: 3, arbitrary: good.map(value => JSON.stringify(value)) },
    { weight: 2, arbitrary: good.chain(changed).map(value => JSON.stringify(value)) },
    { weight: 1, arbitrary: brokenTexts },
  );
}
