import type { IncomingMessage } from 'node:http';
import type { OnResponse } from '../../api/server.ts';
import type { Config } from '../../config/config.ts';
import type { StatementObserver } from '../../db/pool/request.ts';
import { parameterShapes, statementName } from '../../db/statement-name.ts';
import { contextOf, logFields } from '../../http/request-context.ts';
import type { Log } from '../../log.ts';
import type { NodeProxyOptions } from '../../proxy/node-proxy.ts';
import { openTracing } from './tracing.ts';

/** Log lines and spans of requests; a callback is undefined where nothing is to be done. */
export type Observability = {
  onRequest: ((request: IncomingMessage) => void) | undefined;
  onResponse: OnResponse | undefined;
  onForwarded: NodeProxyOptions['onForwarded'] | undefined;
  onStatement: StatementObserver | undefined;
  stop(): Promise<void>;
};

const MAX_TEXT = 1000;

/** Opens what the settings enable: the request log, the slow-query log and the export of traces. */
export async function openObservability(config: Config, log: Log): Promise<Observability> {
  const { requestLog, slowQueryMs } = config;
  const tracing = await openTracing(config);
  const observed = requestLog || tracing !== undefined;
  const requests = log.child({ part: 'api' });
  const nodes = log.child({ part: 'nodes' });
  const statements = log.child({ part: 'database' });

  const onResponse: OnResponse = (route, method, status, seconds, request) => {
    tracing?.end(contextOf(request), route, method, status);
    if (!requestLog) return;
    const url = withoutKey(request.url ?? '/');
    requests.info({ ...logFields(request), method, url, status, ms: round(seconds * 1000) }, 'request');
  };
  const onForwarded: NodeProxyOptions['onForwarded'] = (request, node, outcome, ms) => {
    tracing?.call(contextOf(request), node, outcome, ms);
    if (requestLog) nodes.info({ ...logFields(request), node, outcome, ms: round(ms) }, 'call of a node');
  };
  const onStatement: StatementObserver = (statement, failed) => {
    const ms = performance.now() - statement.startedAt;
    if (tracing && statement.owner) tracing.statement(statement.owner, statementName(statement.text), ms, failed);
    if (slowQueryMs === 0 || ms < slowQueryMs) return;
    const { owner, text, simple, parameters } = statement;
    const request = owner && { request_id: owner.id };
    const name = statementName(text);
    // Text that is not parameterized may contain values.
    const shown = simple ? {} : { parameters: parameterShapes(parameters), text: shorten(text) };
    statements.warn({ ...request, statement: name, ms: round(ms), failed, ...shown }, 'slow statement');
  };
  return {
    onRequest: tracing && (request => tracing.begin(contextOf(request))),
    onResponse: observed ? onResponse : undefined,
    onForwarded: observed ? onForwarded : undefined,
    onStatement: slowQueryMs > 0 || tracing ? onStatement : undefined,
    stop: async () => tracing?.stop(),
  };
}

const round = (ms: number) => Math.round(ms * 100) / 100;

/** Keys belong into headers, but a client may write one into the URL. */
const withoutKey = (url: string) => url.replace(/([?&]api_key=)[^&]*/g, '$1…');

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}
