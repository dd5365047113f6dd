import type { OpenApi } from './openapi.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const SHARED = '#/components/schemas/';

/** Every shared shape of the document as a JSON Schema of its own, by name; they refer to one another by address. */
export function jsonSchemasOf(document: OpenApi): Map<string, object> {
  return new Map(
    Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [
      name,
      { $schema: DIALECT, $id: schemaPath(name), ...withAddresses(schema) },
    ]),
  );
}

/** Where the schema of a shape is served; as an `$id` it means the same path of any host. */
export const schemaPath = (name: string) => `/schemas/${name}.json`;

const withAddresses = <T>(schema: T): T =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(SHARED)
      ? schemaPath(value.slice(SHARED.length))
      : value,
  );
