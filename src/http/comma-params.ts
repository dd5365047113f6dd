import type { FastifyInstance } from 'fastify';

/** Marks a list parameter that may also be written with commas, `a=1,2`: `true`, or `single` unless it is repeated. */
export const COMMA_LIST = 'x-comma-list';

/**
 * Lets parameters that are marked as comma lists be written `a=1,2` as well as `a=1&a=2`. One that is marked as `single` is
 * split only if it is the only value: with `a=1&a=2,3` the second value is `2,3`.
 */
export function splitCommaLists(app: FastifyInstance): void {
  app.addHook('onRoute', route => {
    const query = route.schema?.querystring as { properties?: Record<string, Record<string, unknown>> } | undefined;
    const lists = Object.entries(query?.properties ?? {}).filter(([, { [COMMA_LIST]: marked }]) => marked);
    if (lists.length === 0) return;
    route.preValidation = [
      (request, _reply, done) => {
        const values = request.query as Record<string, string | string[] | undefined>;
        for (const [name, { [COMMA_LIST]: marked }] of lists) {
          const value = values[name];
          if (value === undefined || (marked === 'single' && Array.isArray(value))) continue;
          values[name] = [value].flat().flatMap(text => text.split(','));
        }
        done();
      },
      ...[route.preValidation ?? []].flat(),
    ];
  });
}
