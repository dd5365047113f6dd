// Prints the types of the explorer: what each GET path of docs/openapi.json responds with, and the shapes it refers to.
// Run with `npm run check -- --fix`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const reference = '#/components/schemas/';

/** TypeScript of a JSON Schema, for the parts of it that our document uses. */
export function typeOf(schema, seen = new Set()) {
  if (schema === undefined) return 'unknown';
  if (schema.$ref) {
    const name = schema.$ref.slice(reference.length);
    seen.add(name);
    return identifier(name);
  }
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return [...new Set(union.map(part => typeOf(part, seen)))].join(' | ');
  if (schema.allOf) return schema.allOf.map(part => `(${typeOf(part, seen)})`).join(' & ');
  switch (schema.type) {
    case 'array':
      return `(${typeOf(schema.items, seen)})[]`;
    case 'object':
      return objectType(schema, seen);
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return schema.properties ? objectType(schema, seen) : 'unknown';
  }
}

function objectType({ properties = {}, required = [], additionalProperties, patternProperties }, seen) {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    return `${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, seen)}`;
  });
  const other =
    typeof additionalProperties === 'object' ? additionalProperties : Object.values(patternProperties ?? {})[0];
  if (other) fields.push(`[key: string]: ${typeOf(other, seen)}`);
  return `{ ${fields.join('; ')} }`;
}

const identifier = name => name.replace(/[^\w]+(\w?)/g, (_, letter) => letter.toUpperCase());

/** One type for each shape that is referred to, and for those that these refer to. */
export function printShapes(document, seen) {
  const shapes = [];
  for (const name of seen) {
    shapes.push(`export type ${identifier(name)} = ${typeOf(document.components.schemas[name], seen)};`);
  }
  return shapes.sort();
}

/** The module: one line for each path and one for each shape. */
export function printTypes(document) {
  const seen = new Set();
  const paths = Object.entries(document.paths).flatMap(([path, { get }]) => {
    const content = get?.responses['200']?.content?.['application/json'];
    return content ? [`  '${path}': ${typeOf(content.schema, seen)};`] : [];
  });
  return [
    '// Generated from docs/openapi.json by scripts/explorer-types.mjs. Do not edit.\n',
    '/** What each path responds with. */',
    'export type Responses = {',
    ...paths,
    '};\n',
    ...printShapes(document, seen),
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const document = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
  process.stdout.write(printTypes(JSON.parse(readFileSync(document, 'utf8'))));
}
