// Prints the operations of packages/client: how each operation of docs/openapi.json is requested, what it takes and what it
// responds with. Run with `npm run check -- --fix`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { printShapes, typeOf } from './explorer-types.mjs';

const success = operation => Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];

/** Type of the response: objects of JSON, text, or bytes. */
function responseType(operation, seen) {
  const [[type, media] = []] = Object.entries(success(operation)?.content ?? {});
  if (type === undefined) return 'undefined';
  if (type === 'application/json') return typeOf(media.schema, seen);
  return type.startsWith('text/') ? 'string' : 'Uint8Array';
}

function parametersType({ parameters = [], requestBody }, seen) {
  const fields = parameters
    .filter(({ in: place }) => place !== 'header')
    .map(({ name, required, schema }) => `${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema, seen)}`);
  if (requestBody) {
    const [[type, { schema }]] = Object.entries(requestBody.content);
    const body = type === 'application/json' ? typeOf(schema, seen) : 'Uint8Array<ArrayBuffer>';
    fields.push(`body${requestBody.required ? '' : '?'}: ${body}`);
  }
  return fields.length === 0 ? 'object' : `{ ${fields.join('; ')} }`;
}

/** Method, path and names of the query; a list that is sent with commas has one behind its name. */
function requestOf(method, path, { parameters = [] }) {
  const query = parameters
    .filter(({ in: place }) => place === 'query')
    .map(({ name, explode }) => (explode === false ? `${name},` : name));
  return [method.toUpperCase(), path, ...query].join(' ');
}

export function printOperations(document) {
  const seen = new Set();
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
  const types = operations.map(({ operation }) => {
    const { operationId, summary = '', deprecated } = operation;
    const about = `${summary}${deprecated ? '. @deprecated' : ''}`.replaceAll('*/', '* /');
    return [
      `  /** ${about} */`,
      `  ${operationId}: { parameters: ${parametersType(operation, seen)}; response: ${responseType(operation, seen)} };`,
    ].join('\n');
  });
  const requests = operations.map(
    ({ path, method, operation }) =>
      `  ${operation.operationId}: ${JSON.stringify(requestOf(method, path, operation))},`,
  );
  return [
    '// Generated from docs/openapi.json by scripts/client-operations.mjs. Do not edit.\n',
    '/** What each operation takes and responds with. */',
    'export type Operations = {',
    ...types,
    '};\n',
    '/** Method, path and names of the query of each operation; a list that is sent with commas has one behind its name. */',
    'export const requests: Readonly<Record<keyof Operations, string>> = {',
    ...requests,
    '};\n',
    ...printShapes(document, seen),
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const document = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
  process.stdout.write(printOperations(JSON.parse(readFileSync(document, 'utf8'))));
}
