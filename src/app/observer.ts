import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { type ObserverThread, startObserverThread } from '../ingest/observer/observer-thread.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** Opens the observer, which logs events even before the fold runs. */
export function openObserver(
  config: Config,
  url: string,
  metrics: Metrics,
  logger: Log,
  onCrash: (error: Error) => void,
): Promise<ObserverThread> {
  return startObserverThread({
    url,
    options: {
      host: config.observerHost,
      port: config.observerPort,
      bodyLimit: config.observerBodyLimit,
      allow: config.observerAllow,
      keepAll: config.storeAllEvents,
    },
    ...(config.databaseUrl !== undefined && { acknowledgedFile: join(config.dataDir, 'acknowledged.json') }),
    logger,
    onLoss: (lost, restored) => {
      metrics.eventsLost.inc(lost);
      metrics.eventsRestored.inc(restored);
    },
    onPost: ({ path, bytes, durationMs, outcome, skippedChunks = 0 }) => {
      metrics.eventsReceived.inc({ path, outcome });
      metrics.eventBytes.inc({ path }, bytes);
      if (skippedChunks > 0) metrics.signerChunksSkipped.inc(skippedChunks);
      metrics.eventAck.observe(durationMs / 1000);
    },
    onCrash,
  });
}
