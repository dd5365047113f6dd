import type { Network } from '@cairn-stacks/codec/network';
import { beginWithSnapshot } from '../ingest/snapshot/begin.ts';
import type { StoredManifest } from '../ingest/snapshot/manifest.ts';
import type { ChainIdInquiry } from './chain-id-inquiry.ts';
import { prepareSchema, type RunningDatabase, untilPrepared } from './database.ts';
import { checkSnapshotNetwork, decideNetwork, findIdentity, type Identity, isLogEmpty } from './identity.ts';
import type { Start } from './start.ts';

/** Milliseconds for which a start with a known network waits for nodes, which may belong to another network. */
const NODE_RESPONSE_MS = 1000;

/** For a process that only reads: waits until another one has prepared the tables; throws if settings, database and nodes disagree. */
export async function findStoredNetwork(
  { config, log, progress }: Start,
  { primary }: RunningDatabase,
  inquiry: ChainIdInquiry,
): Promise<Identity> {
  progress.next('preparing the tables');
  const identity = await untilPrepared(primary, log, progress.halted);
  const { network } = identity;
  await inquiry.settled(NODE_RESPONSE_MS);
  decideNetwork({ config, stored: network, reported: inquiry.reported(network.chainId), empty: false });
  inquiry.expect(network);
  return identity;
}

export type DatabaseNetwork = {
  identity: Identity | undefined;
  /** Undefined while neither the settings, the database, a node nor an event shows the network. */
  network: Network | undefined;
  /** True if no event was ever logged. */
  empty: boolean;
};

/**
 * Prepares the tables, from the snapshot of the settings if there is one, and finds the network of the database; throws if
 * settings, database and nodes disagree.
 */
export async function findDatabaseNetwork(
  start: Start,
  database: RunningDatabase,
  inquiry: ChainIdInquiry,
): Promise<DatabaseNetwork> {
  const { config, log, progress } = start;
  const { primary } = database;
  if (config.snapshot !== undefined) {
    progress.next('restoring the snapshot');
    await restoreSnapshot(start, config.snapshot, database, inquiry);
  }
  progress.next('preparing the tables');
  await prepareSchema(primary, log);
  const identity = await findIdentity(primary);
  const empty = await isLogEmpty(primary);
  const facts = { config, stored: identity?.network, empty };
  const expected = decideNetwork(facts);
  // A node of another network is rejected before its events are accepted; a node that does not respond is not awaited.
  if (expected) await inquiry.settled(NODE_RESPONSE_MS);
  const reported = inquiry.reported(expected?.chainId);
  const network = expected && decideNetwork({ ...facts, reported });
  if (config.nodes.length > 0 && reported === undefined) {
    log.warn(`no node has responded yet: ${config.nodes.map(node => node.url).join(', ')}`);
  }
  if (network) inquiry.expect(network);
  return { identity, network, empty };
}

/** Fills an empty database from a snapshot, after a check that the nodes are on the same chain. */
async function restoreSnapshot(
  { config, log, progress }: Start,
  address: string,
  { url, primary }: RunningDatabase,
  inquiry: ChainIdInquiry,
): Promise<void> {
  const check = async (snapshot: StoredManifest) => {
    await inquiry.settled(NODE_RESPONSE_MS);
    await checkSnapshotNetwork(primary, snapshot, config.network, inquiry.reported(snapshot.manifest.chain_id));
  };
  await beginWithSnapshot({
    ...{ address, storeOptions: config, url, sql: primary, check, log },
    halted: progress.halted,
  });
}
