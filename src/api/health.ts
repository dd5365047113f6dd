import type { IngestStatus } from '../queries/status.ts';

export type Readiness = { ready: boolean; reason?: string };

/** Whether answers are current enough to send traffic here, and if not, why. */
export function judgeReadiness(status: IngestStatus, maxLagSeconds: number): Readiness {
  if (status.haltedAt !== null) {
    return {
      ready: false,
      reason: `the fold stopped at event ${status.haltedAt}: ${status.haltReason ?? 'no reason given'}`,
    };
  }
  if (status.lagSeconds > maxLagSeconds) {
    const behind = Math.round(status.lagSeconds);
    return {
      ready: false,
      reason: `the tables are ${behind} s behind the log, more than the ${maxLagSeconds} s allowed`,
    };
  }
  return { ready: true };
}
