import { Auditor } from '../audit/auditor.ts';
import type { Config } from '../config/config.ts';
import { type FoldThread, startFoldThread } from '../ingest/fold/fold-thread.ts';
import { Healer } from '../ingest/heal/healer.ts';
import type { NodeTip } from '../ingest/heal/node-tips.ts';
import { EventLog, type EventLogOptions } from '../ingest/log/event-log.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Network } from '../network.ts';
import { NodeRpc } from '../node/rpc.ts';
import type { Lifecycle } from './lifecycle.ts';

export type IngestOptions = {
  url: string;
  network: Network;
  metrics: Metrics;
  log: Log;
  /** Reward cycles whose proposals and responses of signers stay. */
  signerCycles: number;
  onFailure: (error: Error) => void;
};

/** Starts the fold and the continuous audit. */
export function startIngest(parts: Lifecycle, options: IngestOptions): FoldThread {
  const { url, network, metrics, log, signerCycles, onFailure } = options;
  const fold = startFoldThread({ url, network, signerCycles }, log.child({ part: 'fold' }), {
    onCrash: onFailure,
    onLeaseLoss: ({ cause }) => metrics.foldLockLosses.inc({ cause }),
  });
  parts.add('fold', fold, () => fold.stop());
  const sql = parts.addPool('audit', url, { max: 1 });
  const auditor = new Auditor(sql, log.child({ part: 'audit' }), ({ check, reason }) =>
    metrics.auditFindings.inc({ check, explained: String(reason !== undefined) }),
  );
  auditor.start();
  parts.add('audit', auditor, () => auditor.stop());
  return fold;
}

/** Adds events to the log. */
export type Appender = Pick<EventLog, 'append'>;

/** Opens the event log for events that this process adds itself; while ingest is suspended, none is added. */
export function openEventLog(
  parts: Lifecycle,
  url: string,
  onAppend: NonNullable<EventLogOptions['onAppend']>,
  suspended: () => string | undefined,
): Appender {
  const events = new EventLog(parts.addPool('event log', url, { max: 2, fixedPlans: true }), { onAppend });
  parts.add('event log', events, () => events.close());
  return {
    async append(event) {
      const reason = suspended();
      if (reason !== undefined) throw new Error(reason);
      return await events.append(event);
    },
  };
}

export type HealerOptions = {
  url: string;
  nodes: Config['nodes'];
  events: Appender;
  /** Tips of healthy nodes that were not received. */
  tips: () => readonly NodeTip[];
  log: Log;
};

/** Starts fetching blocks that are missing in the log from the nodes. */
export function startHealer(parts: Lifecycle, { url, nodes, events, tips, log }: HealerOptions): Healer {
  const healer = new Healer({
    sql: parts.addPool('healer', url, { max: 1 }),
    events,
    nodes: nodes.map(node => new NodeRpc(node, { connections: 2, timeoutMs: 60_000 })),
    log: log.child({ part: 'healer' }),
    // Without the secret of a node, none gives the result of a block: ancestors are tried all the same.
    ...(nodes.some(({ auth }) => auth !== undefined) && { tips }),
  });
  healer.start();
  return parts.add('healer', healer, () => healer.stop());
}
