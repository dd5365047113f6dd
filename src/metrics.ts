import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Every Prometheus series of the program. docs/operations.md lists the values at which to act. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const metrics = {
    httpDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its response.',
      labelNames: ['method', 'route', 'status_code'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    responseCacheHits: gauge('cairn_response_cache_hits', 'Responses sent from the response cache since the start.'),
    responseCacheMisses: gauge(
      'cairn_response_cache_misses',
      'Cacheable responses that had to be rendered since the start.',
    ),
    responseCacheBytes: gauge('cairn_response_cache_bytes', 'Bytes of memory used by the response cache.'),
    itemCacheHits: gauge('cairn_item_cache_hits', 'List items taken from the rendered-item cache since the start.'),
    itemCacheMisses: gauge('cairn_item_cache_misses', 'Cacheable list items that had to be rendered since the start.'),
    itemCacheBytes: gauge('cairn_item_cache_bytes', 'Bytes of memory used by the rendered-item cache.'),
    eventsReceived: new Counter({
      name: 'cairn_events_received_total',
      help: 'Events that nodes posted, by path and outcome.',
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
      help: 'Time from the head of an event to its acknowledgement, which is sent when the event is on disk.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    eventsLost: new Counter({
      name: 'cairn_acknowledged_events_lost_total',
      help: 'Events that were acknowledged and that the log then did not have, as after a failover.',
      registers,
    }),
    eventsRestored: new Counter({
      name: 'cairn_acknowledged_events_restored_total',
      help: 'Lost events that were appended to the log again.',
      registers,
    }),
    foldLockLosses: new Counter({
      name: 'cairn_fold_lock_losses_total',
      help: 'How often the writer of the tables lost its lock: the server heard nothing of it, did not respond, or the connection broke.',
      labelNames: ['cause'] as const,
      registers,
    }),
    signerChunksSkipped: new Counter({
      name: 'cairn_signer_chunks_skipped_total',
      help: 'Chunks of miners and signers that are of an unknown type or could not be decoded.',
      registers,
    }),
    signerPendingAge: new Gauge({
      name: 'cairn_signer_pending_proposal_age_seconds',
      help: 'Time since the oldest and the newest block proposal arrived that is higher than the tip; 0 if there is none.',
      labelNames: ['which'] as const,
      registers,
    }),
    signerPushTime: new Gauge({
      name: 'cairn_signer_push_seconds',
      help: 'Mean time from a block proposal to its signed block, over the last proposals.',
      labelNames: ['period'] as const,
      registers,
    }),
    signerAcceptance: new Gauge({
      name: 'cairn_signer_proposal_acceptance_ratio',
      help: 'Share of the last block proposals that were accepted, from 0 to 1.',
      labelNames: ['period'] as const,
      registers,
    }),
    signerResponses: new Gauge({
      name: 'cairn_signer_responses',
      help: 'Responses of a signer to the last block proposals, by state.',
      labelNames: ['signer', 'period', 'state'] as const,
      registers,
    }),
    signerWeight: new Gauge({
      name: 'cairn_signer_weight_ratio',
      help: 'Share of the votes of a signer in the cycle of the newest block proposal, from 0 to 1.',
      labelNames: ['signer'] as const,
      registers,
    }),
    logHead: gauge('cairn_log_head', 'Sequence number of the last event in the log.'),
    foldPosition: gauge('cairn_fold_position', 'Sequence number of the last event that the fold applied.'),
    foldLag: gauge('cairn_fold_lag_seconds', 'Age in seconds of the oldest event that the fold has not applied.'),
    foldHalted: gauge('cairn_fold_halted', '1 when the fold has stopped at an event that it cannot apply, else 0.'),
    blocksAwaitingParent: gauge('cairn_blocks_awaiting_parent', 'Blocks whose parent is not known yet.'),
    blocksIncomplete: gauge('cairn_blocks_incomplete', 'Blocks that were fetched from a node and lack some data.'),
    eventsQuarantined: gauge(
      'cairn_events_quarantined',
      'Events in the log that cannot be read or do not fit the chain.',
    ),
    indexHashMismatches: gauge(
      'cairn_index_hash_mismatches',
      'Blocks whose index hash does not follow from their block and consensus hash.',
    ),
    eventsSkipped: gauge('cairn_events_skipped', 'Events that the fold skipped as requested by the operator.'),
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
    realtimeTopics: gauge(
      'cairn_realtime_subscriptions',
      'Subscriptions; all Socket.IO clients of one topic count as one.',
    ),
    realtimeMessages: new Counter({
      name: 'cairn_realtime_messages_total',
      help: 'Messages sent to WebSocket clients and to Socket.IO topics.',
      registers,
    }),
    realtimeEnded: new Counter({
      name: 'cairn_realtime_ended_total',
      help: 'Connections of realtime clients that the service closed, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
    realtimeBuffered: gauge('cairn_realtime_buffered_bytes', 'Unsent bytes for realtime clients.'),
    realtimePosition: gauge(
      'cairn_realtime_position',
      'Number of the last journal entry announced to realtime clients.',
    ),
    streamsOpen: new Gauge({
      name: 'cairn_streams_open',
      help: 'Open streams, by transport.',
      labelNames: ['transport'] as const,
      registers,
    }),
    streamMessages: new Counter({
      name: 'cairn_stream_messages_total',
      help: 'Messages sent to streams.',
      registers,
    }),
    streamsEnded: new Counter({
      name: 'cairn_streams_ended_total',
      help: 'Streams that the service ended, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
    streamLag: gauge('cairn_stream_lag_steps', 'Journal steps that no open stream has reached yet; 0 without streams.'),
    forwardedRequests: new Counter({
      name: 'cairn_forwarded_requests_total',
      help: 'Requests and sockets forwarded to another service, by service and outcome.',
      labelNames: ['service', 'outcome'] as const,
      registers,
    }),
    forwardedSockets: new Gauge({
      name: 'cairn_forwarded_sockets',
      help: 'Open WebSockets forwarded to another service.',
      labelNames: ['service'] as const,
      registers,
    }),
    metadataBlocks: new Counter({
      name: 'cairn_metadata_blocks_total',
      help: 'Blocks that were searched for tokens.',
      registers,
    }),
    metadataReads: new Counter({
      name: 'cairn_metadata_reads_total',
      help: 'Reads of token contracts, by result.',
      labelNames: ['result'] as const,
      registers,
    }),
    metadataFetches: new Counter({
      name: 'cairn_metadata_fetches_total',
      help: 'Fetches of token URIs, by result.',
      labelNames: ['result'] as const,
      registers,
    }),
    metadataPaused: gauge(
      'cairn_metadata_paused',
      '1 while token contracts are not read, because no node is healthy or all are behind the index, else 0.',
    ),
    bitcoinRequests: new Counter({
      name: 'cairn_bitcoin_requests_total',
      help: 'Outputs of sBTC that Emily or the Bitcoin node was asked about, by result.',
      labelNames: ['source', 'result'] as const,
      registers,
    }),
    webhooks: new Gauge({
      name: 'cairn_webhooks',
      help: 'Webhooks by state.',
      labelNames: ['state'] as const,
      registers,
    }),
    webhookFailing: new Gauge({
      name: 'cairn_webhook_failing_seconds',
      help: 'Time since the first failure of a webhook after its last success; 0 if the last request has arrived.',
      labelNames: ['hook'] as const,
      registers,
    }),
    webhookBacklog: new Gauge({
      name: 'cairn_webhook_backlog_blocks',
      help: 'Blocks that an active webhook has not received yet.',
      labelNames: ['hook'] as const,
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'cairn_webhook_attempts_total',
      help: 'Requests of webhooks that this process has sent, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    publisherConnected: gauge('cairn_publisher_connected', '1 while this process is connected to the broker, else 0.'),
    publisherMessages: new Counter({
      name: 'cairn_publisher_messages_total',
      help: 'Messages that this process has published to the broker.',
      registers,
    }),
    publisherErrors: new Counter({
      name: 'cairn_publisher_errors_total',
      help: 'Attempts to publish to the broker that failed, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
    publisherFailing: new Gauge({
      name: 'cairn_publisher_failing_seconds',
      help: 'Time since nothing can be published to a stream of the broker; 0 if there is no trouble.',
      labelNames: ['stream'] as const,
      registers,
    }),
    publisherBacklog: new Gauge({
      name: 'cairn_publisher_backlog_blocks',
      help: 'Blocks that are not published to a stream of the broker yet.',
      labelNames: ['stream'] as const,
      registers,
    }),
    apiKeyRequests: new Counter({
      name: 'cairn_api_key_requests_total',
      help: 'Requests with a valid API key, by name of the key and by whether the limits of the key allowed them.',
      labelNames: ['key', 'outcome'] as const,
      registers,
    }),
    apiKeyRejections: new Counter({
      name: 'cairn_api_key_rejections_total',
      help: 'Requests that were rejected because of a missing, malformed, unknown or revoked API key.',
      labelNames: ['reason'] as const,
      registers,
    }),
    apiKeyWork: new Counter({
      name: 'cairn_api_key_work_seconds_total',
      help: 'Seconds that responses to requests with an API key took to compute, by name of the key.',
      labelNames: ['key'] as const,
      registers,
    }),
    diskFree: gauge('cairn_disk_free_bytes', 'Free bytes on the disk of the embedded database.'),
    foldStalled: gauge(
      'cairn_fold_stalled_seconds',
      'Time since when the tables have not moved to the best known block or past an event, from five seconds on; else 0.',
    ),
    tipMissing: gauge(
      'cairn_tip_missing_seconds',
      'Time since when a healthy node has a tip that was not received; 0 if there is none.',
    ),
    ingestSuspended: gauge(
      'cairn_ingest_suspended',
      '1 while no events are accepted because the disk of the embedded database is nearly full, else 0.',
    ),
    databaseUp: gauge('cairn_database_up', '1 when the database responded to the last scrape, else 0.'),
    databaseConnections: new Gauge({
      name: 'cairn_database_connections',
      help: 'Database connections of Cairn, by the part that opened them and by state.',
      labelNames: ['name', 'state'] as const,
      registers,
    }),
    readServerInUse: new Gauge({
      name: 'cairn_read_server_in_use',
      help: '1 if API reads may go to a database server now, else 0, by server, role and condition.',
      labelNames: ['server', 'role', 'condition'] as const,
      registers,
    }),
    readServerLag: new Gauge({
      name: 'cairn_read_server_lag_seconds',
      help: 'Time for which a database server for API reads lacks a step that the primary has announced.',
      labelNames: ['server'] as const,
      registers,
    }),
    readServerInFlight: new Gauge({
      name: 'cairn_read_server_in_flight',
      help: 'API requests that read from a database server now.',
      labelNames: ['server'] as const,
      registers,
    }),
  };
  collectDefaultMetrics({ register: registry });
  return { registry, ...metrics };
}

/** Returns a function that records a response; the series of a route and status is looked up once. */
export function responseRecorder({ httpDuration }: Pick<Metrics, 'httpDuration'>) {
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
