import { badRequest } from '../errors.ts';
import { decodeValues } from './decoded-values.ts';
import { fieldsOf, selectorOf } from './fields.ts';
import type { Visit } from './visit.ts';
import { checkAdditions, wantsJson } from './whole-body-params.ts';

/** Refuses fields that the response of a route does not have, and additions that do not exist. */
export function checkParams({ request, route }: Visit): void {
  if (route.response === undefined) return;
  checkAdditions(request);
  const fields = fieldsOf(request);
  if (fields === undefined) return;
  if (route.response === 'text') throw badRequest('fields: this response has no fields');
  selectorOf(fields, route.response);
}

/**
 * Adds to the response, and reduces it to the fields that the client wants. Responses that the handler sent itself, such as
 * redirects, stay as they are.
 */
export function completeBody(visit: Visit): Promise<void> | undefined {
  const { request, reply, route, value } = visit;
  if (typeof route.response !== 'object') return undefined;
  if (fieldsOf(request) === undefined && !visit.isExtended && !wantsJson(request)) return undefined;
  if (reply.sent || value === reply || reply.statusCode !== 200) return undefined;
  return complete(visit, route.response);
}

async function complete(visit: Visit, schema: object): Promise<void> {
  const { request, reply, service } = visit;
  const fields = fieldsOf(request);
  let body: unknown = JSON.parse(reply.serialize(visit.value) as string);
  if (visit.wantsMetadata) body = await service.addAssetMetadata(body, request);
  if (wantsJson(request)) decodeValues(body);
  if (fields !== undefined) body = selectorOf(fields, schema)(body);
  if (visit.wantsNames) body = await service.addNames(body, request);
  visit.value = JSON.stringify(body);
  reply.type('application/json; charset=utf-8');
}
