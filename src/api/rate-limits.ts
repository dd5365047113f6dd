import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { addressSet } from '../address-set.ts';
import { PublicError } from '../errors.ts';
import { clientOf } from './client-address.ts';
import { RateLimiter, type RateLimits, type Verdict } from './rate-limiter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Units that an answer costs its client when it has to be made; 1 when nothing is said. */
    cost?: number;
  }
}

export type RateOptions = RateLimits & { trustedProxies: readonly string[] };

/** Judges requests before anything is done for them: each costs one unit, kept answers no more than that. */
export class RateGate {
  readonly #limiter: RateLimiter;
  readonly #isTrusted: (address: string) => boolean;
  readonly #off: boolean;
  readonly #judged = new WeakMap<IncomingMessage, Verdict>();

  constructor(options: RateOptions) {
    this.#limiter = new RateLimiter(options);
    this.#isTrusted = addressSet(options.trustedProxies);
    this.#off = options.perSecond === 0;
  }

  /** Takes the first unit, once for each request however often it is asked. */
  admits(request: IncomingMessage): Verdict | undefined {
    if (this.#off) return undefined;
    const known = this.#judged.get(request);
    if (known) return known;
    const verdict = this.#take(request, 1);
    if (verdict) this.#judged.set(request, verdict);
    return verdict;
  }

  /** Takes what an answer costs beyond the first unit. */
  charges(request: IncomingMessage, cost: number): Verdict | undefined {
    return this.#off || cost <= 1 ? undefined : this.#take(request, cost - 1);
  }

  #take(request: IncomingMessage, cost: number): Verdict | undefined {
    const client = clientOf(request, this.#isTrusted);
    return client === undefined ? undefined : this.#limiter.take(client, cost);
  }
}

/** Lists cost twice what single things do, unless they say themselves. */
const LIST_COST = 2;

/** Refuses with 429 what a client asks for beyond its share. */
export function limitRates(app: FastifyInstance, gate: RateGate): void {
  app.addHook('onRequest', (request, reply, done) => {
    const verdict = gate.admits(request.raw);
    if (!verdict || verdict.allowed) return done();
    reply.header('retry-after', verdict.retryAfter);
    done(tooMany(verdict.retryAfter));
  });
  app.addHook('onRoute', route => {
    const query = route.schema?.querystring as { properties?: object } | undefined;
    if (query?.properties && 'limit' in query.properties) route.config = { cost: LIST_COST, ...route.config };
  });
  app.addHook('preHandler', (request, reply, done) => {
    const verdict = gate.charges(request.raw, request.routeOptions.config.cost ?? 1);
    if (!verdict || verdict.allowed) return done();
    reply.header('retry-after', verdict.retryAfter);
    done(tooMany(verdict.retryAfter));
  });
}

function tooMany(seconds: number): PublicError {
  const message = `Too many requests: try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return new PublicError(429, message, {
    statusCode: 429,
    error: 'Too Many Requests',
    message,
    retry_after: seconds,
  });
}
