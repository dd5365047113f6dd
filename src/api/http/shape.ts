import type { FastifyRequest } from 'fastify';
import type { Shape } from '../../compat/shape.ts';

/** The request header with which a client requests the shapes of a release. */
export const SHAPE_HEADER = 'x-api-version';

/** The shape that a client requests: 9.3 for every release after 9.0, else that of the service. */
export function shapeOf(request: FastifyRequest, usual: Shape): Shape {
  const asked = request.raw.headers[SHAPE_HEADER];
  if (typeof asked !== 'string') return usual;
  const [, major, minor] = /^v?(\d{1,4})(?:\.(\d{1,4}))?/.exec(asked) ?? [];
  if (major === undefined) return usual;
  return Number(major) > 9 || (Number(major) === 9 && Number(minor ?? 0) > 0) ? '9.3' : '9.0';
}
