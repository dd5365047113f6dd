import type { FastifyRequest } from 'fastify';
import type { Release, Shape } from '../../compat/shape.ts';

/** The request header with which a client requests the shapes of a release. */
export const SHAPE_HEADER = 'x-api-version';

/** The release that a client asks for: 9.3 for every one after 9.0, 8 for every one before; else that of the service. */
function releaseOf(request: FastifyRequest, usual: Release): Release {
  const asked = request.raw.headers[SHAPE_HEADER];
  if (typeof asked !== 'string') return usual;
  const [, major, minor] = /^v?(\d{1,4})(?:\.(\d{1,4}))?/.exec(asked) ?? [];
  if (major === undefined) return usual;
  if (Number(major) < 9) return '8';
  return Number(major) > 9 || Number(minor ?? 0) > 0 ? '9.3' : '9.0';
}

/** The shapes of the third version that a client gets. */
export function shapeOf(request: FastifyRequest, usual: Release): Shape {
  return releaseOf(request, usual) === '9.3' ? '9.3' : '9.0';
}

/** Whether a client gets the keys that version 9 added to routes of the first two versions. */
export function hasVersion9Keys(request: FastifyRequest, usual: Release): boolean {
  return releaseOf(request, usual) !== '8';
}
