import type { Span } from '@opentelemetry/api';
import type { Config } from '../../config/config.ts';
import { version } from '../../config/version.ts';
import { UsageError } from '../../errors.ts';
import type { RequestContext } from '../../http/request-context.ts';

/** Spans of requests, of their calls of nodes and of their statements, exported to a collector. */
export type Tracing = {
  /** Starts the span of a request; the context then names it as the parent of further calls. */
  begin(context: RequestContext): void;
  end(context: RequestContext, route: string, method: string, status: number): void;
  /** A call that has just ended after so many milliseconds. */
  call(context: RequestContext, node: string | undefined, outcome: number | string, ms: number): void;
  /** A statement that has just ended; its owner is the context of a request. */
  statement(owner: object, name: string, ms: number, failed: boolean): void;
  stop(): Promise<void>;
};

const PACKAGES =
  '@opentelemetry/api @opentelemetry/sdk-trace-base @opentelemetry/exporter-trace-otlp-http @opentelemetry/resources';

/** Loads the OpenTelemetry packages, only if the setting names a collector. */
export async function openTracing(
  config: Pick<Config, 'traceEndpoint' | 'traceService'>,
): Promise<Tracing | undefined> {
  if (config.traceEndpoint === undefined) return undefined;
  const { api, sdk, exporter, resources } = await loadPackages();
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const traces = new exporter.OTLPTraceExporter({ url: `${config.traceEndpoint}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': config.traceService, 'service.version': version })),
    spanProcessors: [new sdk.BatchSpanProcessor(traces)],
  });
  const tracer = provider.getTracer('cairn', version);
  const spans = new WeakMap<object, Span>();
  const child = (owner: object, name: string, ms: number) => {
    const parent = spans.get(owner);
    if (!parent) return undefined;
    const options = { kind: SpanKind.CLIENT, startTime: Date.now() - ms };
    return tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
  };
  return {
    begin(context) {
      const remote = remoteParent(context);
      const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
      span.setAttribute('cairn.request_id', context.id);
      spans.set(context, span);
      const { traceId, spanId, traceFlags } = span.spanContext();
      context.traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    },
    end(context, route, method, status) {
      const span = spans.get(context);
      if (!span) return;
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    call(context, node, outcome, ms) {
      const span = child(context, 'call of a node', ms);
      span?.setAttributes({ 'cairn.node': node ?? 'none', 'cairn.outcome': outcome });
      span?.end();
    },
    statement(owner, name, ms, failed) {
      const span = child(owner, name, ms);
      span?.setAttributes({ 'db.system.name': 'postgresql', 'db.query.summary': name });
      if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    },
    stop: () => provider.shutdown(),
  };
}

/** The span of the client, from its `traceparent`. */
function remoteParent({ traceparent }: RequestContext) {
  if (traceparent === undefined) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

async function loadPackages() {
  try {
    const [api, sdk, exporter, resources] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
    return { api, sdk, exporter, resources };
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(`OTEL_EXPORTER_OTLP_ENDPOINT needs optional packages: npm install ${PACKAGES}`, {
      cause: error,
    });
  }
}
