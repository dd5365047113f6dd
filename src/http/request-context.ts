import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What identifies a request in log lines, at nodes and in traces. */
export type RequestContext = {
  readonly id: string;
  /** W3C trace context for what this service calls: that of the client, or of the span of this request. */
  traceparent: string | undefined;
  readonly tracestate: string | undefined;
};

export const REQUEST_ID_HEADER = 'x-request-id';

const CONTEXT = Symbol('request context');
type Identified = IncomingMessage & { [CONTEXT]?: RequestContext };

/** Ids of clients that are safe in log lines and headers. */
const ID_FORM = /^[\w.:/+=-]{1,128}$/;
/** Version 00 of W3C Trace Context; ids of zeros are invalid. */
const TRACEPARENT_FORM = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const MAX_TRACESTATE = 512;

/** Ids of this process: random once, then counted, which costs a cached response next to nothing. */
const prefix = randomBytes(6).toString('hex');
let count = 0;

/** The context of a request: what its headers say where that is valid, else a new id. */
export function contextOf(request: IncomingMessage): RequestContext {
  const identified = request as Identified;
  identified[CONTEXT] ??= readContext(request);
  return identified[CONTEXT];
}

function readContext({ headers }: IncomingMessage): RequestContext {
  const { [REQUEST_ID_HEADER]: given, traceparent, tracestate } = headers;
  const id = typeof given === 'string' && ID_FORM.test(given) ? given : `${prefix}-${(count++).toString(36)}`;
  const parent = typeof traceparent === 'string' && TRACEPARENT_FORM.test(traceparent) ? traceparent : undefined;
  const state = parent !== undefined && typeof tracestate === 'string' ? tracestate : undefined;
  return { id, traceparent: parent, tracestate: state && state.length <= MAX_TRACESTATE ? state : undefined };
}

/** The trace of a request; undefined without one. */
const traceIdOf = ({ traceparent }: RequestContext): string | undefined => traceparent?.slice(3, 35);

/** Fields of log lines about a request. */
export function logFields(request: IncomingMessage): { request_id: string; trace_id?: string } {
  const context = contextOf(request);
  const traceId = traceIdOf(context);
  return { request_id: context.id, ...(traceId !== undefined && { trace_id: traceId }) };
}

/** Headers by which a node or another service can log the same request. */
export function forwardedContext(request: IncomingMessage): Record<string, string> {
  const { id, traceparent, tracestate } = contextOf(request);
  const headers: Record<string, string> = { [REQUEST_ID_HEADER]: id };
  if (traceparent !== undefined) headers.traceparent = traceparent;
  if (tracestate !== undefined) headers.tracestate = tracestate;
  return headers;
}
