import type { OpenApi, Operation } from '../../../src/api/docs/openapi.ts';
import { type Comparison, compareSchemas, say } from './compare-schemas.ts';
import type { Schema } from './schema-alternatives.ts';

/** What differs between the operations of `theirs` and the same ones of `ours`, a line each, in a steady order. */
export function compareDocuments(theirs: OpenApi, ours: OpenApi): string[] {
  const comparison: Comparison = {
    theirs: theirs.components?.schemas ?? {},
    ours: ours.components?.schemas ?? {},
    found: new Set(),
    compared: new Set(),
  };
  const known = new Map(Object.entries(ours.paths).map(([path, methods]) => [shapeOf(path), { path, methods }]));
  for (const [path, methods] of Object.entries(theirs.paths)) {
    const other = known.get(shapeOf(path));
    for (const [method, operation] of Object.entries(methods)) {
      const at = `${method.toUpperCase()} ${path}`;
      const same = other?.methods[method];
      if (same === undefined) say(comparison, at, 'no such operation in ours');
      else compareOperations(comparison, operation, same, at);
    }
    if (other !== undefined && other.path !== path) say(comparison, path, `ours is ${other.path}`);
  }
  return [...comparison.found].sort();
}

/** Names of parameters and a slash at the end make no other path. */
const shapeOf = (path: string) => path.replace(/(?<=.)\/$/, '').replace(/\{\w+\}/g, '{}');

function compareOperations(comparison: Comparison, theirs: Operation, ours: Operation, at: string): void {
  if (theirs.operationId !== undefined && theirs.operationId !== ours.operationId)
    say(comparison, at, `operation ${theirs.operationId}, ours ${ours.operationId}`);
  if (Boolean(theirs.deprecated) !== Boolean(ours.deprecated))
    say(comparison, at, theirs.deprecated ? 'deprecated, ours is not' : 'not deprecated, ours is');
  compareParameters(comparison, theirs, ours, at);
  compareContent(comparison, theirs.requestBody, ours.requestBody, `${at} body`);
  for (const [status, response] of Object.entries(theirs.responses)) {
    const other = ours.responses[status] ?? ours.responses[`${status[0]}XX`];
    if (other === undefined) say(comparison, `${at} ${status}`, 'no such status in ours');
    else compareContent(comparison, response, other, `${at} ${status}`);
  }
}

type Content = { content?: Record<string, { schema: Schema }> } | undefined;

function compareContent(comparison: Comparison, theirs: Content, ours: Content, at: string): void {
  for (const [type, { schema }] of Object.entries(theirs?.content ?? {})) {
    const other = ours?.content?.[type];
    if (other === undefined) say(comparison, at, `${type}, not in ours`);
    else compareSchemas(comparison, schema, other.schema, at);
  }
  for (const type of Object.keys(ours?.content ?? {})) {
    if (theirs?.content?.[type] === undefined) say(comparison, at, `${type} only in ours`);
  }
}

const limits = ['default', 'minimum', 'maximum', 'minItems', 'maxItems'] as const;

function compareParameters(comparison: Comparison, theirs: Operation, ours: Operation, at: string): void {
  const keyed = ({ parameters = [] }: Operation) => {
    return new Map(parameters.map(each => [`${each.in} ${each.name}`, each]));
  };
  const left = keyed(theirs);
  const right = keyed(ours);
  for (const [key, parameter] of left) {
    const place = `${at} ${key}`;
    const other = right.get(key);
    if (other === undefined) {
      say(comparison, place, 'not in ours');
      continue;
    }
    if (Boolean(parameter.required) !== Boolean(other.required))
      say(comparison, place, parameter.required ? 'required, ours optional' : 'optional, ours required');
    for (const limit of limits) {
      const [wanted, given] = [parameter.schema[limit], other.schema[limit]];
      if (wanted !== given) say(comparison, place, `${limit} ${wanted}, ours ${given}`);
    }
    compareSchemas(comparison, parameter.schema, other.schema, place);
  }
  for (const key of right.keys()) if (!left.has(key)) say(comparison, `${at} ${key}`, 'only in ours');
}
