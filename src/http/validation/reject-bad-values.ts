import { badRequest } from '../../errors.ts';
import type { Visit } from '../visit.ts';
import { checkParams } from '../whole-body.ts';

/**
 * Rejects unusable values that the schemas accept: numbers such as 1e999, which become infinite and pass every bound, and
 * texts with a NUL, which the database cannot store. Path parameters are ids: an invalid id is not found.
 */
export function rejectBadValues(visit: Visit): void {
  const { query, params } = visit.request;
  const found = findInfinite('params', params) ?? findInfinite('querystring', query) ?? findNul(query);
  if (found !== undefined) throw badRequest(found);
  checkParams(visit);
}

const entriesOf = (values: unknown) => (values !== null && typeof values === 'object' ? Object.entries(values) : []);

function findInfinite(place: string, values: unknown): string | undefined {
  for (const [name, value] of entriesOf(values)) {
    if (typeof value === 'number' && !Number.isFinite(value)) return `${place}/${name} must be a finite number`;
  }
  return undefined;
}

function findNul(values: unknown): string | undefined {
  for (const [name, value] of entriesOf(values)) {
    if ([value].flat().some(item => typeof item === 'string' && item.includes('\u0000'))) {
      return `querystring/${name} must not have a NUL character`;
    }
  }
  return undefined;
}
