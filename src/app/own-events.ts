import { EventLog } from '../ingest/log/event-log.ts';
import type { RunningDatabase } from './database.ts';
import type { Ingest } from './ingest.ts';
import { startTogether } from './lifecycle.ts';
import type { Start } from './start.ts';

/** Adds events to the log. */
export type Appender = Pick<EventLog, 'append'>;

/**
 * Opens the log for the events that this process adds: transactions sent by clients, and blocks fetched from nodes. While
 * ingest is suspended, it adds none.
 */
export async function startOwnEvents(
  { log }: Start,
  { url, suspension }: RunningDatabase,
  ingest: Pick<Ingest, 'fold'> | undefined,
): Promise<Appender & { stop(): Promise<void> }> {
  return await startTogether(log, parts => {
    const sql = parts.addPool('event log', url, { max: 2, fixedPlans: true });
    const events = new EventLog(sql, { onAppend: appended => ingest?.fold.hand(appended) });
    parts.onStop('event log', () => events.close());
    return {
      async append(event) {
        if (suspension.reason !== undefined) throw new Error(suspension.reason);
        return await events.append(event);
      },
    };
  });
}
