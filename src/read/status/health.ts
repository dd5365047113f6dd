import type { IngestStatus } from './status-queries.ts';

export type Readiness = { ready: boolean; reason?: string };

/** One reason why traffic should not be sent here; undefined when it does not apply. */
export type ReadinessCheck = (status: IngestStatus) => string | undefined;

const notHalted: ReadinessCheck = ({ haltedAt, haltReason }) =>
  haltedAt === null ? undefined : `the fold stopped at event ${haltedAt}: ${haltReason ?? 'no reason given'}`;

/** Block 0 has no row of its own: there is something to serve from block 1 on. */
const hasBlocks: ReadinessCheck = ({ height, parked, quarantined }) => {
  if (height >= 1) return undefined;
  const aside = quarantined > 0 ? `; ${quarantined} events were quarantined` : '';
  if (parked === 0) return `there is no block to serve yet${aside}`;
  return (
    `there is no block to serve yet: ${parked} blocks wait for ancestors that were never received; ` +
    `replay an archive of events, or set a node that can provide them (docs/nodes.md)${aside}`
  );
};

const notLate =
  (maxLagSeconds: number): ReadinessCheck =>
  ({ lagSeconds }) =>
    lagSeconds <= maxLagSeconds
      ? undefined
      : `the tables are ${Math.round(lagSeconds)} s behind the log, more than the ${maxLagSeconds} s allowed`;

/** Whether the data is current enough for traffic, and if not, why; `others` are checked after our own checks. */
export function judgeReadiness(
  status: IngestStatus,
  maxLagSeconds: number,
  others: readonly ReadinessCheck[] = [],
): Readiness {
  for (const check of [notHalted, hasBlocks, notLate(maxLagSeconds), ...others]) {
    const reason = check(status);
    if (reason !== undefined) return { ready: false, reason };
  }
  return { ready: true };
}
