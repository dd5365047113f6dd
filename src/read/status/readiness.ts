import type { TipSource } from '../../cache/tip-cache.ts';
import type { Pool } from '../../db/client.ts';
import { databaseLost } from '../../db/database-error.ts';
import type { ReadServerReport } from '../../db/reads.ts';
import { type IngestConditions, listWarnings, noConditions } from './conditions-schema.ts';
import { judgeReadiness, type Readiness, type ReadinessCheck } from './health.ts';
import { findIngestStatus, type IngestStatus } from './status-queries.ts';
import { renderIngestStatus } from './status-schema.ts';

/** The response takes at most twice this time, even if the database hangs. */
const ANSWER_MS = 2000;

export type ReadinessContext = {
  /** The connections that responses are read through. */
  sql: Pool;
  /** Present where this process serves the API. */
  tip?: TipSource;
  readyMaxLag: number;
  /** Further reasons why the service may not be ready. */
  checks?: readonly ReadinessCheck[];
  /** What this process knows about ingest that is not in the tables. */
  conditions?: () => IngestConditions;
  /** The servers for API reads, for responses that stay inside: they name hosts. */
  servers?: () => ReadServerReport[];
};

/** Reads as a request would, on the same connections; the body says why the service is not ready. */
export async function checkReadiness(context: ReadinessContext): Promise<{ status: 200 | 503; body: object }> {
  const found = await readStatus(context.sql);
  const { ready, reason } = judge(found, context);
  const conditions = context.conditions?.() ?? noConditions;
  const warnings = listWarnings(conditions);
  const body = {
    status: ready ? 'ready' : 'not ready',
    ...(reason && { reason }),
    ...(warnings.length > 0 && { warnings }),
    ...(typeof found === 'object' && renderIngestStatus(found, conditions)),
    ...(context.servers && { read_servers: context.servers() }),
  };
  return { status: ready ? 200 : 503, body };
}

/** The state of ingest, or why it cannot be read; `busy` while slow statements use all connections. */
async function readStatus(sql: Pool): Promise<IngestStatus | string> {
  try {
    return await findIngestStatus(sql.within(ANSWER_MS));
  } catch (error) {
    if (!databaseLost(error)) throw error;
    const busy = await sql.isBusy(ANSWER_MS).catch(() => false);
    return busy ? BUSY : (error as Error).message;
  }
}

const BUSY = 'busy';

function judge(found: IngestStatus | string, { tip, readyMaxLag, checks }: ReadinessContext): Readiness {
  if (typeof found === 'string' && found !== BUSY) {
    return { ready: false, reason: `the database cannot be read: ${found}` };
  }
  if (tip && !tip.current) return { ready: false, reason: 'the tip of the chain cannot be read' };
  if (typeof found === 'string') return { ready: true };
  return judgeReadiness(found, readyMaxLag, checks);
}
