import type { preValidationHookHandler } from 'fastify';

/** Sends a caller who left out the `0x` of a path parameter to where it is; the query is kept on request. */
export function redirectTo0x(name: string, { keepQuery = false } = {}): preValidationHookHandler {
  return (request, reply, done) => {
    const value = (request.params as Record<string, string>)[name] ?? '';
    if (value.startsWith('0x')) return done();
    const [path = '', query] = request.url.split('?');
    const target = path.replace(`/${value}`, `/0x${value}`);
    void reply.redirect(keepQuery && query !== undefined ? `${target}?${query}` : target, 302);
  };
}
