import { jsonSchemasOf } from '../api/docs/json-schemas.ts';
import { type OpenApi, openApiOf } from '../api/docs/openapi.ts';
import type { Command } from './command.ts';
import { buildDisconnectedApi } from './disconnected-api.ts';

/** The OpenAPI document as text, generated from the routes without any connection. */
export async function printOpenApi(): Promise<string> {
  return `${JSON.stringify(openApiOf(await buildDisconnectedApi()), null, 2)}\n`;
}

/** The JSON Schemas of all shapes as one text: an object from file name to content. */
export async function printSchemas(): Promise<string> {
  const schemas = jsonSchemasOf(JSON.parse(await printOpenApi()) as OpenApi);
  const files = [...schemas].map(([name, schema]) => [`${name}.json`, `${JSON.stringify(schema, null, 2)}\n`]);
  return JSON.stringify(Object.fromEntries(files));
}

export const command: Command = {
  usage: '',
  flags: {},
  positionals: { min: 0, max: 0 },
  async run() {
    process.stdout.write(await printOpenApi());
    return 0;
  },
};
