import * as incumbent from '../incumbent-settings.ts';
import * as is from '../setting.ts';
import { optional, set, shareOfMemory } from '../setting.ts';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Memory, shutdown, logging and traces. */
export const processSettings = {
  memory: shareOfMemory({
    name: 'CAIRN_MEMORY',
    kind: is.bytes,
    share: 1,
    unset: 'an eighth of the memory of the machine or container, from 256 MB to 512 MB',
    about:
      'Memory in bytes that the process may take in ordinary work, PostgreSQL not counted. Caches, queues and the heaps of threads are shares of it. A block that is larger than usual takes more for a moment.',
  }),
  stopTimeout: set({
    name: 'CAIRN_STOP_TIMEOUT',
    kind: is.seconds,
    fallback: '10',
    aliases: ['STACKS_SHUTDOWN_FORCE_KILL_TIMEOUT'],
    about: 'Seconds that open requests and the fold have to finish after SIGTERM.',
  }),
  logLevel: set({
    name: 'CAIRN_LOG_LEVEL',
    kind: is.choice(...LEVELS),
    fallback: 'info',
    aliases: [incumbent.logLevel],
    about: 'Minimum level of log lines.',
  }),
  logFormat: set({
    name: 'CAIRN_LOG_FORMAT',
    kind: is.choice('auto', 'json', 'pretty'),
    fallback: 'auto',
    about: 'Format of log lines; `auto` is `pretty` on a terminal and `json` elsewhere.',
  }),
  traceEndpoint: optional({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    kind: is.url('http', 'https'),
    unset: 'no traces are exported',
    about:
      'Address of an OpenTelemetry collector that receives traces over OTLP/HTTP. Other `OTEL_` variables of the OpenTelemetry SDK, such as `OTEL_TRACES_SAMPLER` and `OTEL_EXPORTER_OTLP_HEADERS`, work too.',
  }),
  traceService: set({
    name: 'OTEL_SERVICE_NAME',
    kind: is.text,
    fallback: 'cairn',
    about: 'Name of this service in traces.',
  }),
} as const;
