import type { preValidationHookHandler } from 'fastify';
import { Type } from 'typebox';

/** The response of a route that redirects some requests: the header `Location` says where to. */
export const redirected = { 302: Type.Null() };

/** Redirects a request without the `0x` of a path parameter to the URL with it; keeps the query on request. */
export function redirectTo0x(name: string, { keepQuery = false } = {}): preValidationHookHandler {
  return (request, reply, done) => {
    const value = (request.params as Record<string, string>)[name] ?? '';
    if (value.startsWith('0x')) return done();
    const [path = '', query] = request.url.split('?');
    // The path as it was sent may have percent-encoded characters, which the value has not.
    const target = replaceSegment(path, value);
    void reply.redirect(keepQuery && query !== undefined ? `${target}?${query}` : target, 302);
  };
}

/** A path with 0x before the segment that decodes to a value. */
function replaceSegment(path: string, value: string): string {
  const segments = path.split('/');
  const at = segments.findIndex(segment => decodeURIComponent(segment) === value);
  return segments.map((segment, i) => (i === at ? `0x${segment}` : segment)).join('/');
}
