export type Schema = { [key: string]: unknown };

/** The closed set of values of a scalar; undefined where any value of the type is allowed. */
export type Values = ReadonlySet<unknown> | undefined;

export type Property = { required: boolean; schema: Schema };

/** One object that a schema allows; `name` is that of the shared shape it came from. */
export type ObjectShape = {
  name: string | undefined;
  properties: Map<string, Property>;
  additional: Schema | undefined;
};

/** What a schema allows, whichever way it is written: the same for `anyOf` with null, `const`, `enum` and references. */
export type Alternatives = {
  anything: boolean;
  scalars: Map<string, Values>;
  items: Schema[];
  objects: ObjectShape[];
};

type Schemas = Record<string, Schema>;

const PREFIX = '#/components/schemas/';

/** The name of the shared shape that a schema only refers to. */
export const nameOf = (schema: Schema): string | undefined =>
  typeof schema.$ref === 'string' ? schema.$ref.slice(PREFIX.length) : undefined;

/** Everything that `schema` allows, in a form in which two documents can be compared. */
export function alternativesOf(schema: Schema, schemas: Schemas): Alternatives {
  const found: Alternatives = { anything: false, scalars: new Map(), items: [], objects: [] };
  collect(schema, undefined, schemas, found);
  return found;
}

function collect(schema: Schema, name: string | undefined, schemas: Schemas, found: Alternatives): void {
  const shared = nameOf(schema);
  if (shared !== undefined) {
    const target = schemas[shared];
    if (target === undefined) throw new Error(`no shape is called ${shared}`);
    collect(target, shared, schemas, found);
    return;
  }
  const choice = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choice !== undefined) {
    for (const each of choice) collect(each, name, schemas, found);
    return;
  }
  if (schema.allOf !== undefined) {
    found.objects.push({ ...joined(schema.allOf as Schema[], schemas), name });
    return;
  }
  const values = schema.const !== undefined ? [schema.const] : (schema.enum as unknown[] | undefined);
  const types = [schema.type ?? values?.map(typeOf) ?? []].flat() as string[];
  if (types.length === 0) found.anything = true;
  for (const type of new Set(types)) {
    if (type === 'object') found.objects.push(objectOf(schema, name));
    else if (type === 'array') found.items.push((schema.items ?? {}) as Schema);
    else
      addScalar(
        found.scalars,
        type,
        values?.filter(each => typeOf(each) === type || type === 'number'),
      );
  }
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value;

function addScalar(scalars: Map<string, Values>, type: string, values: unknown[] | undefined): void {
  if (!scalars.has(type)) scalars.set(type, values && new Set(values));
  else {
    const known = scalars.get(type);
    scalars.set(type, known && values && new Set([...known, ...values]));
  }
}

function objectOf(schema: Schema, name: string | undefined): ObjectShape {
  const required = new Set((schema.required ?? []) as string[]);
  const properties = new Map<string, Property>();
  for (const [key, value] of Object.entries((schema.properties ?? {}) as Record<string, Schema>))
    properties.set(key, { required: required.has(key), schema: value });
  const patterns = Object.values((schema.patternProperties ?? {}) as Record<string, Schema>);
  const open = typeof schema.additionalProperties === 'object' ? (schema.additionalProperties as Schema) : undefined;
  return { name, properties, additional: open ?? patterns[0] };
}

/** One object that has what all `parts` have; where a part is a choice, what all of its objects have together. */
function joined(parts: Schema[], schemas: Schemas): ObjectShape {
  const properties = new Map<string, Property>();
  for (const part of parts) {
    const { objects } = alternativesOf(part, schemas);
    for (const [key, property] of merged(objects).properties) properties.set(key, property);
  }
  return { name: undefined, properties, additional: undefined };
}

/** The objects as one: a property is required where all of them require it, and allows what any of them allows. */
export function merged(objects: readonly ObjectShape[]): ObjectShape {
  const [first] = objects;
  if (first !== undefined && objects.length === 1) return first;
  const properties = new Map<string, Property>();
  for (const key of new Set(objects.flatMap(each => [...each.properties.keys()]))) {
    const found = objects.map(each => each.properties.get(key));
    const schemas = found.flatMap(each => (each === undefined ? [] : [each.schema]));
    properties.set(key, {
      required: found.every(each => each?.required),
      schema: schemas.length === 1 ? schemas[0]! : { anyOf: schemas },
    });
  }
  const additional = objects.find(each => each.additional !== undefined)?.additional;
  return { name: undefined, properties, additional };
}
