import type { FastifyInstance } from 'fastify';
import { badRequest } from '../errors.ts';

/**
 * Refuses values that the schemas let through and nobody can work with: numbers such as 1e999, which become infinite and
 * pass every bound, and texts with a NUL, which the database has no place for.
 */
export function refuseStrangeValues(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const found = findStrange('querystring', request.query) ?? findStrange('params', request.params);
    done(found === undefined ? undefined : badRequest(found));
  });
}

function findStrange(place: string, values: unknown): string | undefined {
  if (values === null || typeof values !== 'object') return undefined;
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'number' && !Number.isFinite(value)) return `${place}/${name} must be a finite number`;
    if (typeof value === 'string' && value.includes('\u0000')) return `${place}/${name} must not have a NUL character`;
    if (Array.isArray(value) && value.some(item => typeof item === 'string' && item.includes('\u0000'))) {
      return `${place}/${name} must not have a NUL character`;
    }
  }
  return undefined;
}
