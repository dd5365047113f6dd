import type { OpenApi, Operation } from '../../src/api/docs/openapi.ts';
import type { Sample } from './samples.ts';

/** A GET, as the document declares it. */
export type ReadRoute = { path: string; operation: Operation };

type Schema = { $ref?: string; anyOf?: Schema[]; type?: unknown; properties?: Record<string, Schema> };

/** Every GET of the document. */
export function readRoutes(document: OpenApi): ReadRoute[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) => (get ? [{ path, operation: get }] : []));
}

/** Routes that page or return `results`. */
export function listRoutes(document: OpenApi): ReadRoute[] {
  return readRoutes(document).filter(({ operation }) => {
    const pages = operation.parameters?.some(p => p.in === 'query' && p.name === 'limit') ?? false;
    return pages || returnsResults(document, operation);
  });
}

function returnsResults(document: OpenApi, operation: Operation): boolean {
  const resolve = (schema: Schema): Schema[] => {
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) return resolve((document.components?.schemas?.[name] ?? {}) as Schema);
    return schema.anyOf ? schema.anyOf.flatMap(resolve) : [schema];
  };
  const answer = (operation.responses['200']?.content?.['application/json']?.schema ?? {}) as Schema;
  return resolve(answer).some(schema => {
    const results = schema.properties?.results;
    return results !== undefined && resolve(results).some(each => each.type === 'array');
  });
}

/** Parameters whose name means another thing under some paths. */
const meanings: { under: RegExp; name: string; means: keyof Sample }[] = [
  { under: /\/burn-blocks\//, name: 'height_or_hash', means: 'burn_block_hash' },
  { under: /^\/metadata\//, name: 'principal', means: 'contract_id' },
  { under: /^\/metadata\//, name: 'contract', means: 'contract_id' },
  { under: /\/microblock\//, name: 'hash', means: 'microblock_hash' },
  { under: /\/burnchain\//, name: 'address', means: 'reward_address' },
  { under: /pox-transactions$/, name: 'burnchain_address', means: 'reward_address' },
  { under: /^/, name: 'at_block', means: 'height' },
];

/** Optional parameters without which a route returns nothing. */
const wanted: Record<string, string> = { '/extended/v1/tx/events': 'address' };

/** A URL of the route about one sample, or the name of the parameter that the samples do not know. */
export function urlOf(
  route: ReadRoute,
  sample: Sample,
  query: Record<string, string> = {},
): { url: string } | { missing: string } {
  let path = route.path;
  const search = new URLSearchParams(query);
  for (const { name, in: place, required } of route.operation.parameters ?? []) {
    const isAsked = required || wanted[route.path] === name;
    if (place === 'header' || (place === 'query' && (!isAsked || search.has(name)))) continue;
    const value = parameterOf(route, name, sample);
    if (value === undefined) return { missing: name };
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else search.set(name, value);
  }
  return { url: search.size > 0 ? `${path}?${search}` : path };
}

function parameterOf(route: ReadRoute, name: string, sample: Sample): string | undefined {
  const meaning = meanings.find(each => each.name === name && each.under.test(route.path));
  return sample[meaning?.means ?? (name as keyof Sample)];
}

/** URLs of the route about one sample: plain, and with each optional filter that has a value. */
export function variantsOf(route: ReadRoute, sample: Sample): string[] {
  const queries: Record<string, string>[] = [{}];
  for (const { name, in: place, required, schema } of route.operation.parameters ?? []) {
    if (place !== 'query' || required || name === 'limit') continue;
    for (const value of valuesOf(schema as ParameterSchema, parameterOf(route, name, sample)))
      queries.push({ [name]: value });
  }
  const urls = queries.map(query => urlOf(route, sample, query));
  return urls.flatMap(built => ('url' in built ? [built.url] : []));
}

type ParameterSchema = { type?: string; enum?: string[]; items?: ParameterSchema; anyOf?: ParameterSchema[] };

function valuesOf(schema: ParameterSchema, known: string | undefined): string[] {
  const choices = [
    schema,
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items, ...(schema.items.anyOf ?? [])] : []),
  ];
  const listed = choices.flatMap(choice => choice.enum ?? []);
  if (listed.length > 0) return listed;
  if (schema.type === 'boolean') return ['true'];
  return known === undefined ? [] : [known];
}

/** True when the route takes this query parameter. */
export const takes = ({ operation }: ReadRoute, name: string) =>
  operation.parameters?.some(p => p.in === 'query' && p.name === name) ?? false;

/** The largest value it takes for this query parameter. */
export function largest({ operation }: ReadRoute, name: string): number {
  const schema = operation.parameters?.find(p => p.in === 'query' && p.name === name)?.schema as { maximum?: number };
  return schema?.maximum ?? Number.POSITIVE_INFINITY;
}
