import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { badRequest } from '../errors.ts';

/** What of a response a client wants: names of fields, each with what it wants of their values; nothing means all. */
type Selection = Map<string, Selection>;

/** A JSON Schema, as far as it says which fields a value has. */
type Schema = {
  type?: unknown;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown;
  const?: unknown;
};

/** What is kept of an object, and whether a map may stand in its place, whose entries are such objects. */
type Kept = { fields: ReadonlyMap<string, Kept | undefined>; known: ReadonlySet<string>; inMap: boolean };

/** Fields of the values at one place. Arrays and maps have those of their entries. */
type Known = { fields: Map<string, Schema[]>; inMap: boolean; isOpen: boolean };

const MAX_LENGTH = 2000;
const MAX_NAMED = 40;

/** The parameter `fields` as a client wrote it; undefined without it. */
export const fieldsOf = (request: FastifyRequest): string | string[] | undefined =>
  (request.query as { fields?: string | string[] } | null)?.fields;

/** What tells the ETags of a response from those of its selected fields; empty without `fields`. */
export function markOfFields(request: FastifyRequest): string {
  const fields = fieldsOf(request);
  if (fields === undefined) return '';
  return `-f${createHash('sha256').update(String(fields)).digest('base64url').slice(0, 8)}`;
}

/** Reduces a parsed response to the fields that a text names; 400 if the schema of the response has no such field. */
export function selectorOf(text: string | readonly string[], schema: object): (value: unknown) => unknown {
  const kept = keptOf([schema], readSelection([text].flat().join(',')), '');
  return value => select(value, kept);
}

function readSelection(text: string): Selection {
  if (text.length > MAX_LENGTH) throw badRequest(`fields must have at most ${MAX_LENGTH} characters`);
  const all: Selection = new Map();
  const whole = new Set<Selection>();
  for (const path of text.split(',')) {
    let at = all;
    for (const name of path.split('.')) {
      if (!/^\w{1,64}$/.test(name)) {
        throw badRequest(
          'fields must be names of fields, as in `total,results.tx_id`: commas between them, dots into them',
        );
      }
      const inner: Selection = at.get(name) ?? new Map();
      at.set(name, inner);
      at = inner;
    }
    whole.add(at);
  }
  // `block,block.height` means all of the block.
  for (const selection of whole) selection.clear();
  return all;
}

function keptOf(schemas: readonly object[], selection: Selection, at: string): Kept {
  const known: Known = { fields: new Map(), inMap: false, isOpen: false };
  for (const schema of schemas) collect(schema, known);
  const fields = new Map<string, Kept | undefined>();
  for (const [name, inner] of selection) {
    const path = at === '' ? name : `${at}.${name}`;
    const below = known.fields.get(name) ?? (known.isOpen ? [{}] : undefined);
    if (!below) throw badRequest(`fields: the response has no ${path}; ${describe(known, at)}`);
    fields.set(name, inner.size === 0 ? undefined : keptOf(below, inner, path));
  }
  return { fields, known: new Set(known.fields.keys()), inMap: known.inMap };
}

function describe({ fields }: Known, at: string): string {
  const names = [...fields.keys()];
  const place = at === '' ? 'it' : at;
  if (names.length === 0) return `${place} has no fields`;
  const more = names.length > MAX_NAMED ? ', …' : '';
  return `${place} has ${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** Adds the fields of a schema, of its alternatives, and of the entries of arrays and maps. */
function collect(schema: Schema, known: Known): void {
  const { properties, patternProperties, additionalProperties, items, anyOf, allOf } = schema;
  for (const part of [...(anyOf ?? []), ...(allOf ?? []), ...(items ? [items] : [])]) collect(part, known);
  for (const [name, value] of Object.entries(properties ?? {})) {
    known.fields.set(name, [...(known.fields.get(name) ?? []), value]);
  }
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  for (const entry of [...Object.values(patternProperties ?? {}), ...others]) {
    if (!isOpen(entry)) known.inMap = true;
    collect(entry, known);
  }
  if (isOpen(schema)) known.isOpen = true;
}

/** Whether a schema says nothing about the value. */
const isOpen = ({ type, anyOf, allOf, enum: values, const: value }: Schema): boolean =>
  [type, anyOf, allOf, values, value].every(each => each === undefined);

function select(value: unknown, kept: Kept): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(item => select(item, kept));
  const entries = Object.entries(value);
  if (kept.inMap && !entries.some(([name]) => kept.known.has(name))) {
    return Object.fromEntries(entries.map(([name, item]) => [name, select(item, kept)]));
  }
  return Object.fromEntries(
    entries.flatMap(([name, item]) => {
      if (!kept.fields.has(name)) return [];
      const inner = kept.fields.get(name);
      return [[name, inner ? select(item, inner) : item]];
    }),
  );
}
