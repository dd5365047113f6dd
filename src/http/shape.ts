import type { FastifyRequest } from 'fastify';
import type { Release, Shape } from '../compat/shape.ts';

/** The request header with which a client requests the shapes of a release. */
export const SHAPE_HEADER = 'x-api-version';

/** The release that a client requests: 9.3 for every one after 9.0, 8 for every one before; else that of the service. */
function releaseOf(request: FastifyRequest, fallback: Release): Release {
  const requested = request.raw.headers[SHAPE_HEADER];
  if (typeof requested !== 'string') return fallback;
  const [, major, minor] = /^v?(\d{1,4})(?:\.(\d{1,4}))?/.exec(requested) ?? [];
  if (major === undefined) return fallback;
  if (Number(major) < 9) return '8';
  return Number(major) > 9 || Number(minor ?? 0) > 0 ? '9.3' : '9.0';
}

/** The shapes of version 3 that a client gets. */
export function shapeOf(request: FastifyRequest, fallback: Release): Shape {
  return releaseOf(request, fallback) === '9.3' ? '9.3' : '9.0';
}

/** Whether a client gets the keys that version 9 added to routes of versions 1 and 2. */
export function hasVersion9Keys(request: FastifyRequest, fallback: Release): boolean {
  return releaseOf(request, fallback) !== '8';
}
