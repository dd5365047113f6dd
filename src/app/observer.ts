import { join } from 'node:path';
import { type ObserverThread, startObserverThread } from '../ingest/observer/observer-thread.ts';
import type { Start } from './start.ts';

/** Opens the observer, which logs events even before the fold runs. */
export function openObserver({ config, log, metrics, onFailure }: Start, url: string): Promise<ObserverThread> {
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
    logger: log.child({ part: 'observer' }),
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
    onCrash: onFailure,
  });
}
