import { badRequest } from '../../errors.ts';
import type { Visit } from '../visit.ts';
import { checkParams } from '../whole-body.ts';

/**
 * Rejects unusable values that the schemas accept: numbers such as 1e999, which become infinite and pass every bound, and
 * texts with a NUL, which the database cannot store. Path parameters are ids: an invalid id is not found.
 */
export function rejectBadValues(visit: Visit): void {
  const query = visit.request.query as Values;
  const params = visit.request.params as Values;
  const found = findInfinite('params', params) ?? findInfinite('querystring', query) ?? findNul(query);
  if (found !== undefined) throw badRequest(found);
  checkParams(visit);
}

type Values = Readonly<Record<string, unknown>>;

function findInfinite(place: string, values: Values): string | undefined {
  for (const name in values) {
    const value = values[name];
    if (typeof value === 'number' && !Number.isFinite(value)) return `${place}/${name} must be a finite number`;
  }
  return undefined;
}

function findNul(values: Values): string | undefined {
  for (const name in values) {
    const value = values[name];
    if (Array.isArray(value) ? value.some(hasNul) : hasNul(value)) {
      return `querystring/${name} must not have a NUL character`;
    }
  }
  return undefined;
}

const hasNul = (value: unknown) => typeof value === 'string' && value.includes('\u0000');
