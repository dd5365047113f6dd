import {
  type Alternatives,
  alternativesOf,
  merged,
  nameOf,
  type ObjectShape,
  type Schema,
  type Values,
} from './schema-alternatives.ts';

export type Schemas = Record<string, Schema>;

/** Two documents, what was found to differ between them, each line once, and the pairs of shapes that were compared. */
export type Comparison = { theirs: Schemas; ours: Schemas; found: Set<string>; compared: Set<string> };

/**
 * Adds what differs between two schemas. A place inside of a shared shape of theirs is named after that shape, so
 * that a difference of a shape that many operations use is one difference.
 */
export function compareSchemas(comparison: Comparison, theirs: Schema, ours: Schema, at: string): void {
  const [name, ownName] = [nameOf(theirs), nameOf(ours)];
  const place = name ?? at;
  if (name !== undefined && ownName !== undefined) {
    const pair = `${name} ${ownName}`;
    if (comparison.compared.has(pair)) return;
    comparison.compared.add(pair);
  }
  const left = alternativesOf(theirs, comparison.theirs);
  const right = alternativesOf(ours, comparison.ours);
  if (left.anything || right.anything) {
    if (left.anything !== right.anything) say(comparison, place, `type ${words(left)}, ours ${words(right)}`);
    return;
  }
  if (words(left) !== words(right)) say(comparison, place, `type ${words(left)}, ours ${words(right)}`);
  for (const [type, values] of left.scalars) {
    if (right.scalars.has(type)) compareValues(comparison, values, right.scalars.get(type), place);
  }
  if (left.items.length > 0 && right.items.length > 0)
    compareSchemas(comparison, oneOf(left.items), oneOf(right.items), `${place}[]`);
  compareObjects(comparison, left.objects, right.objects, place);
}

export const say = ({ found }: Comparison, place: string, what: string): void => {
  found.add(`${place}: ${what}`);
};

const oneOf = (schemas: Schema[]): Schema => (schemas.length === 1 ? schemas[0]! : { anyOf: schemas });

function words({ anything, scalars, items, objects }: Alternatives): string {
  if (anything) return 'any';
  const types = [...scalars.keys(), ...(items.length > 0 ? ['array'] : []), ...(objects.length > 0 ? ['object'] : [])];
  return types.sort().join('|');
}

function compareValues(comparison: Comparison, theirs: Values, ours: Values, at: string): void {
  const list = (values: Iterable<unknown>) => [...values].join('|');
  if (theirs === undefined) {
    if (ours !== undefined) say(comparison, at, `any value, ours only ${list(ours)}`);
  } else if (ours === undefined) {
    say(comparison, at, `only ${list(theirs)}, ours any value`);
  } else {
    const missing = list([...theirs].filter(value => !ours.has(value)));
    const more = list([...ours].filter(value => !theirs.has(value)));
    if (missing !== '') say(comparison, at, `values ${missing} not in ours`);
    if (more !== '') say(comparison, at, `values ${more} only in ours`);
  }
}

function compareObjects(comparison: Comparison, theirs: ObjectShape[], ours: ObjectShape[], at: string): void {
  if (theirs.length === 0 || ours.length === 0) return;
  const tag = theirs.length === 1 && ours.length === 1 ? undefined : tagOf(comparison, theirs, ours);
  if (tag === undefined) {
    compareProperties(comparison, merged(theirs), merged(ours), at);
    return;
  }
  const valuesOf = (objects: ObjectShape[], schemas: Schemas) =>
    new Set(objects.flatMap(each => [...tagValues(each, tag, schemas)!]));
  const values = valuesOf(theirs, comparison.theirs);
  for (const value of valuesOf(ours, comparison.ours)) {
    if (!values.has(value)) say(comparison, `${at}(${tag}=${value})`, 'only in ours');
  }
  for (const value of values) {
    const has = (schemas: Schemas) => (each: ObjectShape) => tagValues(each, tag, schemas)!.has(value);
    const left = theirs.filter(has(comparison.theirs));
    const right = ours.filter(has(comparison.ours));
    const place = left.length === 1 && left[0]!.name !== undefined ? left[0]!.name : `${at}(${tag}=${value})`;
    if (right.length === 0) say(comparison, place, 'no such object in ours');
    // What is told apart by this property only in part is compared as one.
    else if (left.length === theirs.length && right.length === ours.length)
      compareProperties(comparison, merged(left), merged(right), at);
    else compareObjects(comparison, left, right, place);
  }
}

/** The property that tells the objects apart in both documents. */
function tagOf(comparison: Comparison, theirs: ObjectShape[], ours: ObjectShape[]): string | undefined {
  const tells = (objects: ObjectShape[], key: string, schemas: Schemas) => {
    const sets = objects.map(each => tagValues(each, key, schemas));
    if (sets.some(each => each === undefined)) return false;
    return objects.length === 1 || new Set(sets.map(each => [...each!].join())).size > 1;
  };
  const named = (objects: ObjectShape[], key: string, schemas: Schemas) =>
    objects.every(each => tagValues(each, key, schemas)!.size === 1);
  const keys = [...(theirs.length > 1 ? theirs : ours)[0]!.properties.keys()].filter(
    key => tells(theirs, key, comparison.theirs) && tells(ours, key, comparison.ours),
  );
  // A name of the kind is better than a property that only some kinds share values of.
  return keys.find(key => named(theirs, key, comparison.theirs) && named(ours, key, comparison.ours)) ?? keys[0];
}

function tagValues(object: ObjectShape, key: string, schemas: Schemas): ReadonlySet<unknown> | undefined {
  const property = object.properties.get(key);
  if (property === undefined) return undefined;
  const { scalars, items, objects, anything } = alternativesOf(property.schema, schemas);
  if (anything || items.length > 0 || objects.length > 0) return undefined;
  const all = [...scalars.values()];
  if (all.length === 0 || all.some(each => each === undefined)) return undefined;
  return new Set(all.flatMap(each => [...each!]));
}

function compareProperties(comparison: Comparison, theirs: ObjectShape, ours: ObjectShape, at: string): void {
  for (const [key, property] of theirs.properties) {
    const other = ours.properties.get(key);
    const place = `${at}.${key}`;
    if (other === undefined) {
      say(comparison, place, `${property.required ? 'required' : 'optional'}, not in ours`);
      continue;
    }
    if (property.required && !other.required) say(comparison, place, 'required, ours optional');
    if (!property.required && other.required) say(comparison, place, 'optional, ours required');
    compareSchemas(comparison, property.schema, other.schema, place);
  }
  for (const [key, { required }] of ours.properties) {
    if (!theirs.properties.has(key))
      say(comparison, `${at}.${key}`, `only in ours, ${required ? 'required' : 'optional'}`);
  }
  if (theirs.additional !== undefined && ours.additional !== undefined)
    compareSchemas(comparison, theirs.additional, ours.additional, `${at}.*`);
  else if (theirs.additional !== undefined) say(comparison, `${at}.*`, 'any key, not in ours');
  else if (ours.additional !== undefined) say(comparison, `${at}.*`, 'any key only in ours');
}
