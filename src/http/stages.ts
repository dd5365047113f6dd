import type { FastifyInstance } from 'fastify';
import { answerFromCache, joinEqualRequest, remember } from './cached-responses.ts';
import { writeHeaders } from './headers.ts';
import { takePlace } from './in-flight-limit.ts';
import { admit } from './limits/admission.ts';
import { checkNotModified } from './not-modified.ts';
import { readFromOneServer } from './reading.ts';
import { rulesOf } from './route-rules.ts';
import { rejectBadValues } from './validation/reject-bad-values.ts';
import { SENT, type Service, type Stage, Visit } from './visit.ts';

/**
 * What happens to every request, in this order. A stage that does not concern a route does nothing; one that sends the response
 * ends the list.
 */
const stages = {
  /** As soon as the head of the request is here. */
  arriving: [
    admit, //             401 without the API key that is needed; 429 beyond the share of the client; 410 for what is gone
    answerFromCache, //   same URL at the same journal number, not below what the client has seen: bytes as they are, for one unit
    writeHeaders, //      version, CORS, `no-store`, the height and the id of the request; errors of the stages before have them too
  ],
  // Fastify parses query and body, and validates parameters by schema: 400.
  valid: [
    rejectBadValues, //   400 for numbers and texts that schemas accept and the database does not, and for unknown `fields`, `decode`, `names`
    checkNotModified, //  304 by numbers in memory, without any read; else headers of what the response will be of
  ],
  /** In place of the handler of the route. */
  responding: [
    takePlace, //         429 if the client cannot pay for a list; 503 at once when too many requests are worked on
    joinEqualRequest, //  an equal request is being read: waits for its response
    readFromOneServer, // in turn with other clients, the handler, on one server that has all that was shown, then what `metadata`, `decode`,
    //                    `fields` and `names` ask for; 500 if it ends with nothing
    remember, //          keeps the bytes under the number that was read first, and sends them; 304 by the hash where no number tells
  ],
} satisfies Record<string, Stage[]>;

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit;
  }
  interface FastifyContextConfig {
    rules?: ReturnType<typeof rulesOf>;
  }
}

/** Runs the stages for every route that is added from now on, and for unknown URLs. */
export function addStages(app: FastifyInstance, service: Service): void {
  app.decorateRequest('visit');
  app.decorateRequest('sql', {
    getter() {
      return this.visit.reader;
    },
  });
  app.addHook('onRoute', route => {
    const rules = rulesOf(route, service);
    route.config = { ...route.config, rules };
    if (rules.deprecation) route.schema = { ...route.schema, deprecated: true };
    route.handler = request => respond(request.visit);
  });
  app.addHook('onRequest', (request, reply, done) => {
    request.visit = new Visit(request, reply, service, request.routeOptions.config.rules);
    proceed(stages.arriving, request.visit, 0, done);
  });
  app.addHook('preHandler', (request, _reply, done) => proceed(stages.valid, request.visit, 0, done));
}

type Done = (error?: Error) => void;

/** Goes on with the next stage, and with the framework after the last one; not if the response was sent. */
function proceed(list: readonly Stage[], visit: Visit, from: number, done: Done): void {
  try {
    for (let i = from; i < list.length; i++) {
      const outcome = list[i]!(visit);
      if (outcome === SENT) return;
      if (outcome instanceof Promise) {
        outcome.then(
          sent => sent === SENT || proceed(list, visit, i + 1, done),
          error => refuse(visit, error, done),
        );
        return;
      }
    }
  } catch (error) {
    refuse(visit, error as Error, done);
    return;
  }
  done();
}

function refuse(visit: Visit, error: Error, done: Done): void {
  writeHeaders(visit);
  done(error);
}

/** Resolves with what the framework sends; with nothing if the response was sent. */
async function respond(visit: Visit): Promise<unknown> {
  try {
    for (const stage of stages.responding as readonly Stage[]) {
      const outcome = stage(visit);
      if ((outcome instanceof Promise ? await outcome : outcome) === SENT) return undefined;
    }
    return visit.value;
  } catch (error) {
    visit.shared?.fail(error);
    throw error;
  } finally {
    visit.end();
  }
}
