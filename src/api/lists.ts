import type { FastifyInstance } from 'fastify';
import { COMMA_LIST } from './openapi.ts';

/** Lets parameters that are marked as comma lists be written `a=1,2` as well as `a=1&a=2`. */
export function splitCommaLists(app: FastifyInstance): void {
  app.addHook('onRoute', route => {
    const query = route.schema?.querystring as { properties?: Record<string, Record<string, unknown>> } | undefined;
    const names = Object.entries(query?.properties ?? {}).flatMap(([name, p]) =>
      p[COMMA_LIST] === true ? [name] : [],
    );
    if (names.length === 0) return;
    route.preValidation = [
      (request, _reply, done) => {
        const values = request.query as Record<string, string | string[] | undefined>;
        for (const name of names) {
          const value = values[name];
          if (value !== undefined) values[name] = [value].flat().flatMap(text => text.split(','));
        }
        done();
      },
      ...[route.preValidation ?? []].flat(),
    ];
  });
}
