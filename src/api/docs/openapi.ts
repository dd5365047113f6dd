import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { version } from '../../config/version.ts';
import { COMMA_LIST } from '../../http/comma-params.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { documentedValues, NEWER } from '../../read/pages/known-values.ts';
import { bodyExampleOf, exampleOf } from './examples.ts';
import { responseExampleOf } from './response-examples.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** The document as far as we read it ourselves. */
export type OpenApi = {
  openapi: string;
  info: { title: string; version: string; description: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, JsonObject> };
};

export type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: JsonObject;
    example?: Json;
  }[];
  requestBody?: { content: Record<string, { schema: JsonObject; example?: unknown }> };
  responses: Record<
    string,
    { description?: string; content?: Record<string, { schema: JsonObject; example?: unknown }> }
  >;
};

/** Lists whose path ends with a slash in the documents that clients were generated from; both forms are served. */
const SLASHED: ReadonlySet<string> = new Set([
  '/extended/v1/block',
  '/extended/v1/fee_rate',
  '/extended/v1/microblock',
  '/extended/v1/stx_supply',
  '/extended/v1/tx',
  '/extended/v2/blocks',
  '/extended/v2/burn-blocks',
  '/v1/names',
  '/v1/namespaces',
]);

/** Must be registered before the routes: the document is written from their schemas. */
export async function collectOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Cairn',
        version,
        description:
          'The indexing API of the Stacks blockchain. Amounts of STX are in micro-STX (1 STX = 1,000,000 micro-STX) and amounts of ' +
          'bitcoin in satoshis, as decimal text, unless a field says otherwise. Times are Unix seconds; fields that end in ' +
          '`_iso` hold the same time as UTC text. Hashes and transaction ids are hex with the prefix `0x`. Lists by offset ' +
          'take `limit` and `offset`; lists by cursor return the cursors of the neighbouring pages. Every GET with a JSON response ' +
          'takes `fields`: the names of the fields that are wanted, with commas between them and dots into them, as in ' +
          '`fields=total,results.tx_id`. Entries of arrays and maps count as one. With `decode=json` every Clarity value also has ' +
          '`json`, and with `names=true` a response that is an object gets `primary_names`, the names of the principals in it. `POST /extended/v1/batch` returns the responses ' +
          'to many GETs, all of one state.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This service.' }],
    },
    hideUntagged: true,
    transform: ({ schema, url }) => {
      const { '4XX': wrong, '5XX': failed, ...others } = (schema?.response ?? {}) as Record<string, unknown>;
      const errors = { '4xx': wrong ?? ErrorBody, '5xx': failed ?? ErrorBody };
      return { schema: { ...schema, response: { ...errors, ...others } }, url };
    },
  });
}

/** The document of a ready app: shared shapes under `components`, keys in a steady order. */
export function openApiOf(app: FastifyInstance): OpenApi {
  const raw = JSON.parse(JSON.stringify(app.swagger())) as JsonObject;
  const schemas: Record<string, JsonObject> = {};
  const lifted = lift(raw, schemas) as unknown as OpenApi;
  const paths: OpenApi['paths'] = {};
  for (const path of Object.keys(lifted.paths).sort())
    paths[SLASHED.has(path) ? `${path}/` : path] = complete(path, lifted.paths[path]!);
  const named = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...lifted, paths, components: { schemas: named } };
}

/** Moves every shape that has a title to `schemas` and leaves a reference. */
function lift(value: Json, schemas: Record<string, JsonObject>): Json {
  if (Array.isArray(value)) return value.map(item => lift(item, schemas));
  if (value === null || typeof value !== 'object') return value;
  const comma = Boolean(value[COMMA_LIST] ?? (value.schema as JsonObject | undefined)?.[COMMA_LIST]);
  const lifted: JsonObject = {};
  for (const [key, item] of Object.entries(value)) if (key !== COMMA_LIST) lifted[key] = lift(item, schemas);
  if (Array.isArray(value.anyOf)) lifted.anyOf = shownOf(value.anyOf, lifted.anyOf as Json[]);
  const copy = documentedValues(lifted) as JsonObject;
  if (comma && copy.in === 'query') Object.assign(copy, { style: 'form', explode: false });
  const isSchema = typeof copy.title === 'string' && (copy.type !== undefined || copy.anyOf !== undefined);
  if (!isSchema) return copy;
  const name = copy.title as string;
  const known = schemas[name];
  if (known && JSON.stringify(known) !== JSON.stringify(copy)) {
    throw new Error(`two different schemas have the title ${name}`);
  }
  schemas[name] = copy;
  return { $ref: `#/components/schemas/${name}` };
}

/** The alternatives but those that only a newer node brings. */
const shownOf = (alternatives: Json[], lifted: Json[]): Json[] =>
  lifted.filter((_, index) => (alternatives[index] as JsonObject)[NEWER] !== true);

const DESCRIPTIONS: Record<string, string> = {
  200: 'The request succeeded.',
  302: 'The header `Location` has the URL of the response.',
  304: 'Nothing has changed since the response with the ETag of `If-None-Match`.',
  400: 'A parameter or the body is invalid, or asks for unbounded work. The message says what to change.',
  401: 'The API needs a key, or the key is unknown. Send `x-api-key: KEY`.',
  403: 'This is switched off here, such as a faucet on mainnet.',
  404: 'It is not on the canonical chain, nor pending. Check the id and the network; what is new may need a moment.',
  406: 'The client does not accept what this sends. Accept `text/event-stream`.',
  409: 'The chain here does not have what the request begins at. The body names a height to begin again at.',
  410: 'It is no longer stored, or this endpoint is switched off. The message names what replaces it.',
  413: 'The body is too large. Send less.',
  429: 'The client has used up its share. Wait for the seconds of `Retry-After`.',
  500: 'A fault of the service. The log has the details under the id of `X-Request-Id`.',
  501: 'An optional part is not installed.',
  502: 'No node responded. Try again.',
  503: 'The service is starting or overloaded. Wait for the seconds of `Retry-After`, or ask for less.',
  504: 'A node did not respond in time. Try again.',
  '4XX': 'The request is invalid, the resource was not found, or the client sent too many requests.',
  '5XX': 'The service failed or is temporarily unavailable. Try again later.',
};

/** Adds descriptions of common responses, and examples of required parameters. */
function complete(path: string, operations: Record<string, Operation>): Record<string, Operation> {
  for (const operation of Object.values(operations)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response.description === 'Default Response')
        response.description = DESCRIPTIONS[status] ?? `Status ${status}.`;
    }
    const shown = responseExampleOf(operation.operationId);
    const response = operation.responses['200']?.content?.['application/json'];
    if (response && shown !== undefined) response.example = shown;
    for (const parameter of operation.parameters ?? []) {
      const example = exampleOf(path, parameter);
      if (example !== undefined) parameter.example = example;
    }
    const body = operation.requestBody?.content['application/json'];
    const example = bodyExampleOf(path);
    if (body && example !== undefined) body.example = example;
  }
  return operations;
}
