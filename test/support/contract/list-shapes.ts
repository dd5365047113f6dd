import type { OpenApi, Operation } from '../../../src/api/docs/openapi.ts';

type Shape = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Shape[];
  allOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  additionalProperties?: Shape | boolean;
  required?: string[];
  minimum?: number;
  maximum?: number;
};

/** One line for each operation, parameter, response and field of a document, in a fixed order, without descriptions. */
export function listShapes({ paths, components }: OpenApi): string {
  const operations = Object.entries(paths)
    .sort(byName)
    .flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Operation>).flatMap(([method, operation]) =>
        operationLines(`${method.toUpperCase()} ${path}`, operation),
      ),
    );
  const shared = Object.entries((components?.schemas ?? {}) as Record<string, Shape>)
    .sort(byName)
    .flatMap(([name, shape]) => shapeLines(name, shape));
  return `${[...operations, '', ...shared].join('\n')}\n`;
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

function operationLines(name: string, { operationId, deprecated, parameters, responses }: Operation): string[] {
  return [
    `${name} ${operationId}${deprecated ? ' deprecated' : ''}`,
    ...(parameters ?? []).flatMap(({ in: place, name, required, schema }) =>
      shapeLines(`  ${place} ${name}${required ? '' : '?'}`, schema as Shape),
    ),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      Object.entries(content ?? { nothing: {} }).flatMap(([type, { schema }]: [string, { schema?: unknown }]) =>
        shapeLines(`  ${status} ${type}`, (schema ?? {}) as Shape),
      ),
    ),
  ];
}

/** The type of a place and, indented, those of its fields. */
function shapeLines(place: string, shape: Shape): string[] {
  const inner = shape.items ?? shape;
  const fields = Object.entries(inner.properties ?? {}).sort(byName);
  const indent = `${/^ */.exec(place)![0]}  `;
  const alternatives = [...(inner.anyOf ?? []), ...(inner.allOf ?? [])].filter(each => each.properties);
  return [
    `${place}: ${typeOf(shape)}`,
    ...fields.flatMap(([name, field]) =>
      shapeLines(`${indent}${name}${inner.required?.includes(name) ? '' : '?'}`, field),
    ),
    ...alternatives.flatMap((each, i) => shapeLines(`${indent}alternative ${i + 1}`, each)),
  ];
}

function typeOf(shape: Shape): string {
  if (shape.$ref) return shape.$ref.split('/').at(-1)!;
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map(value => JSON.stringify(value)).join(' | ');
  if (shape.anyOf) return shape.anyOf.map(typeOf).join(' | ');
  if (shape.allOf) return shape.allOf.map(typeOf).join(' & ');
  if (shape.items) return `array of ${typeOf(shape.items)}`;
  const values = Object.values(shape.patternProperties ?? {})[0] ?? shape.additionalProperties;
  if (typeof values === 'object') return `map of ${typeOf(values)}`;
  const bounds = [shape.minimum, shape.maximum].some(bound => bound !== undefined);
  const range = bounds ? ` ${shape.minimum ?? ''}..${shape.maximum ?? ''}` : '';
  return `${[shape.type ?? 'any'].flat().join('|')}${range}`;
}
