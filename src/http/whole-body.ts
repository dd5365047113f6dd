import { badRequest } from '../errors.ts';
import { fieldsOf, selectorOf } from './fields.ts';
import type { Visit } from './visit.ts';

/** Refuses fields that the response of a route does not have. */
export function checkFields({ request, route }: Visit): void {
  const fields = fieldsOf(request);
  if (fields === undefined || route.response === undefined) return;
  if (route.response === 'text') throw badRequest('fields: this response has no fields');
  selectorOf(fields, route.response);
}

/**
 * Adds the metadata of assets to the response, and reduces it to the fields that the client wants. Responses that the handler
 * sent itself, such as redirects, stay as they are.
 */
export function completeBody(visit: Visit): Promise<void> | undefined {
  const { request, reply, route, value } = visit;
  const fields = typeof route.response === 'object' ? fieldsOf(request) : undefined;
  if (fields === undefined && !visit.wantsMetadata) return undefined;
  if (reply.sent || value === reply || reply.statusCode !== 200) return undefined;
  return complete(visit, fields);
}

async function complete(visit: Visit, fields: string | string[] | undefined): Promise<void> {
  const { request, reply, route, service, value } = visit;
  const rendered = reply.serialize(value) as string;
  const body = visit.wantsMetadata ? await service.addAssetMetadata(rendered, request) : rendered;
  visit.value =
    fields === undefined ? body : JSON.stringify(selectorOf(fields, route.response as object)(JSON.parse(body)));
  reply.type('application/json; charset=utf-8');
}
