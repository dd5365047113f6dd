import { PublicError } from '../../errors.ts';
import { checkBatchItem } from '../batch-item.ts';
import type { Visit } from '../visit.ts';

/** Requests of one connection that are refused in a row before it is closed. */
const MAX_REFUSALS = 50;

/**
 * Responds with 429 to a request beyond the share of its client, with 401 to one without the API key that it needs, with 400 to
 * what cannot be part of a batch, and with 410 where the operator has switched off deprecated routes.
 */
export function admit(visit: Visit): void {
  admitClient(visit);
  checkBatchItem(visit);
  const { route, reply, service } = visit;
  if (!route.deprecation) return;
  reply.header('warning', route.deprecation.warning);
  if (!service.deprecatedEndpoints) throw route.deprecation.gone;
}

function admitClient({ request: { raw }, reply, service: { rates, refusals } }: Visit): void {
  const verdict = rates?.admits(raw, reply.raw);
  if (!verdict) return;
  if (verdict.allowed) {
    refusals.forget(raw.socket);
    return;
  }
  if ('denied' in verdict) {
    reply.header('www-authenticate', verdict.denied.header);
    throw new PublicError(401, verdict.denied.message);
  }
  reply.header('retry-after', verdict.retryAfter);
  if (refusals.add(raw.socket) >= MAX_REFUSALS) reply.header('connection', 'close');
  throw tooMany(verdict.retryAfter);
}

/** Takes what the route costs beyond the unit that the request has paid. */
export function charge({ request, reply, route, service: { rates } }: Visit): void {
  const verdict = rates?.charges(request.raw, route.cost);
  if (!verdict || verdict.allowed) return;
  reply.header('retry-after', verdict.retryAfter);
  throw tooMany(verdict.retryAfter);
}

/**
 * Charges the time from now until the result is called. It does not include that in which requests wait for one another; that of
 * a node does not count.
 */
export function chargeWork({ request, route, service: { rates } }: Visit): (() => void) | undefined {
  if (!rates || route.asksNode || route.isCharged) return undefined;
  const began = performance.now();
  return () => rates.settles(request.raw, route.cost, performance.now() - began);
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
