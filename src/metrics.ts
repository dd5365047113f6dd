import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Every Prometheus series of the program. The value at which to worry stands in docs/operations.md. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const metrics = {
    httpDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer.',
      labelNames: ['method', 'route', 'status_code'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    responseCacheHits: gauge('cairn_response_cache_hits', 'Responses sent from the response cache since the start.'),
    responseCacheMisses: gauge(
      'cairn_response_cache_misses',
      'Cacheable responses that were rendered since the start.',
    ),
    responseCacheBytes: gauge('cairn_response_cache_bytes', 'Memory that the response cache takes.'),
    itemCacheHits: gauge(
      'cairn_rendered_item_cache_hits',
      'List items taken from the rendered-item cache since the start.',
    ),
    itemCacheMisses: gauge(
      'cairn_rendered_item_cache_misses',
      'List items that were read and rendered since the start.',
    ),
    itemCacheBytes: gauge('cairn_rendered_item_cache_bytes', 'Memory that the rendered-item cache takes.'),
    eventsReceived: new Counter({
      name: 'cairn_events_received_total',
      help: 'Events that nodes posted, by path and by what became of them.',
      labelNames: ['path', 'outcome'] as const,
      registers,
    }),
    eventBytes: new Counter({
      name: 'cairn_event_bytes_total',
      help: 'Bytes of the events that nodes posted.',
      labelNames: ['path'] as const,
      registers,
    }),
    eventAck: new Histogram({
      name: 'cairn_event_ack_seconds',
      help: 'Time from the head of an event to its answer, that is until it is on disk.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    logHead: gauge('cairn_log_head', 'Number of the last event in the log.'),
    foldPosition: gauge('cairn_fold_position', 'Number of the last event in the tables.'),
    foldLag: gauge('cairn_fold_lag_seconds', 'Age of the oldest event that waits for the fold.'),
    foldHalted: gauge('cairn_fold_halted', '1 when the fold has stopped at an event it cannot apply.'),
    blocksParked: gauge('cairn_blocks_parked', 'Blocks that wait for an unknown parent.'),
    blocksIncomplete: gauge(
      'cairn_blocks_incomplete',
      'Blocks that were asked of a node and of which something stays unknown.',
    ),
    eventsQuarantined: gauge('cairn_events_quarantined', 'Events that were kept but cannot be read or placed.'),
    indexHashMismatches: gauge(
      'cairn_index_hash_mismatches',
      'Blocks whose index hash does not follow from their block and consensus hash.',
    ),
    eventsSkipped: gauge('cairn_events_skipped', 'Events that an operator told the fold to go past.'),
    auditFindings: new Counter({
      name: 'cairn_audit_findings_total',
      help: 'Findings of the continuous audit, by check and by whether a reason is known.',
      labelNames: ['check', 'explained'] as const,
      registers,
    }),
    blockHeight: gauge('stacks_block_height', 'Height of the canonical tip, -1 before the first block.'),
    burnBlockHeight: gauge('burn_block_height', 'Height of the burn block at the tip.'),
    realtimeConnections: new Gauge({
      name: 'cairn_realtime_connections',
      help: 'Open connections of realtime clients, by transport.',
      labelNames: ['transport'] as const,
      registers,
    }),
    realtimeTopics: gauge('cairn_realtime_subscriptions', 'Subscriptions; all Socket.IO clients of a topic are one.'),
    realtimeMessages: new Counter({
      name: 'cairn_realtime_messages_total',
      help: 'Messages sent to WebSocket clients and to topics of Socket.IO.',
      registers,
    }),
    realtimeEnded: new Counter({
      name: 'cairn_realtime_ended_total',
      help: 'Connections of realtime clients that the service ended, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
    realtimeBuffered: gauge('cairn_realtime_buffered_bytes', 'Bytes that wait for realtime clients which are slow.'),
    realtimeStep: gauge('cairn_realtime_step', 'Number of the last step of the journal that was announced.'),
    diskFree: gauge('cairn_disk_free_bytes', 'Bytes free where the embedded database keeps its files.'),
    databaseUp: gauge('cairn_database_up', '1 when the database answered the last scrape.'),
    databaseConnections: new Gauge({
      name: 'cairn_database_connections',
      help: 'Connections of Cairn to its database, by the part that opened them and by what they do.',
      labelNames: ['name', 'state'] as const,
      registers,
    }),
  };
  collectDefaultMetrics({ register: registry });
  return { registry, ...metrics };
}

/** Records answers; the series of a route and status is looked up by name once and then kept. */
export function answerRecorder({ httpDuration }: Pick<Metrics, 'httpDuration'>) {
  const series = new Map<string, { observe(seconds: number): void }>();
  return (route: string, method: string, status: number, seconds: number): void => {
    const key = `${status} ${method} ${route}`;
    let observer = series.get(key);
    if (!observer) {
      observer = httpDuration.labels(method, route, String(status));
      series.set(key, observer);
    }
    observer.observe(seconds);
  };
}
