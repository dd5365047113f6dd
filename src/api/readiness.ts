import type { Pool } from '../db/client.ts';
import { findIngestStatus, type IngestStatus } from '../queries/status.ts';
import { renderIngestStatus } from '../schemas/status.ts';
import { judgeReadiness, type Readiness } from './health.ts';
import type { TipSource } from './tip-cache.ts';

/** Who asks is told in time for the next question, whatever the database does. */
const ANSWER_MS = 3000;

export type ReadinessContext = {
  /** The connections that answers are read through. */
  sql: Pool;
  /** Where this process serves answers. */
  tip?: TipSource;
  readyMaxLag: number;
};

/** Asks what an answer would ask, on the connections of the answers; the body says why if there would be none. */
export async function checkReadiness(context: ReadinessContext): Promise<{ status: 200 | 503; body: object }> {
  const found = await findIngestStatus(context.sql.within(ANSWER_MS)).catch((error: Error) => error);
  const { ready, reason } = judge(found, context);
  const body = {
    status: ready ? 'ready' : 'not ready',
    ...(reason && { reason }),
    ...(!(found instanceof Error) && renderIngestStatus(found)),
  };
  return { status: ready ? 200 : 503, body };
}

function judge(found: IngestStatus | Error, { tip, readyMaxLag }: ReadinessContext): Readiness {
  if (found instanceof Error) return { ready: false, reason: `the database cannot be read: ${found.message}` };
  if (tip && !tip.current) return { ready: false, reason: 'the tip of the chain cannot be read' };
  return judgeReadiness(found, readyMaxLag);
}
