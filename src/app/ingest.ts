import type { Network } from '@cairn-stacks/codec/network';
import { Auditor } from '../audit/auditor.ts';
import { type FoldThread, startFoldThread } from '../ingest/fold/fold-thread.ts';
import type { ChainIdInquiry } from './chain-id-inquiry.ts';
import type { RunningDatabase } from './database.ts';
import { findDatabaseNetwork } from './database-network.ts';
import { loadDevnetSnapshot } from './devnet/snapshot.ts';
import { devnetAllowed, storeIdentity } from './identity.ts';
import { startTogether } from './lifecycle.ts';
import { untilNetworkKnown } from './network-search.ts';
import { openObserver } from './observer.ts';
import type { Start } from './start.ts';

export type Ingest = {
  network: Network;
  /** True if the blocks come from the built-in devnet. */
  simulated: boolean;
  /** True if the log had no event before this start. */
  empty: boolean;
  observer: { port: number; address: string };
  fold: FoldThread;
  stop(): Promise<void>;
};

/** Prepares the tables, and starts the observer, the fold and the continuous audit. */
export async function startIngest(start: Start, database: RunningDatabase, inquiry: ChainIdInquiry): Promise<Ingest> {
  const { config, log, metrics, progress, onFailure } = start;
  const { primary, directUrl, suspension } = database;
  const found = await findDatabaseNetwork(start, database, inquiry);
  return await startTogether(log, async parts => {
    progress.next('opening the observer');
    const observer = await openObserver(start, database.url);
    parts.onStop('observer', () => observer.stop((config.stopTimeout * 1000) / 2));
    suspension.follow(reason => observer.suspend(reason));
    const address = `${config.observerHost}:${observer.port}`;
    const network = found.network ?? (await untilNetworkKnown(start, primary, inquiry, address));
    const simulated = config.devnet && devnetAllowed(config, found.identity, found.empty);

    progress.next('starting ingest');
    await storeIdentity(primary, network, simulated);
    if (simulated && config.devnetFrom !== undefined && found.empty) {
      progress.next('loading the snapshot of the devnet');
      await loadDevnetSnapshot(primary, config, config.devnetFrom);
    } else if (config.devnetFrom !== undefined) {
      log.info('CAIRN_DEVNET_FROM has no effect: the database already holds a chain, or no devnet runs');
    }
    const data = { url: directUrl, network, signerCycles: config.signerMetricsCycles, memory: config.memory };
    const fold = startFoldThread(data, log.child({ part: 'fold' }), {
      onCrash: onFailure,
      onLeaseLoss: ({ cause }) => metrics.foldLockLosses.inc({ cause }),
    });
    parts.add('fold', fold);
    suspension.follow(reason => fold.suspend(reason !== undefined));
    observer.forwardTo(fold.openPort());
    const sql = parts.addPool('audit', directUrl, { max: 1 });
    const auditor = new Auditor(sql, log.child({ part: 'audit' }), ({ check, reason }) =>
      metrics.auditFindings.inc({ check, explained: String(reason !== undefined) }),
    );
    auditor.start();
    parts.add('audit', auditor);
    // The observer stops before the fold: it accepts events only while the fold runs.
    parts.stopFirst('observer');
    return { network, simulated, empty: found.empty, observer: { port: observer.port, address }, fold };
  });
}
