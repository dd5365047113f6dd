import type { Config } from '../config/config.ts';
import type { Pool } from '../db/client.ts';
import { beginWithSnapshot } from '../ingest/snapshot/begin.ts';
import type { StoredManifest } from '../ingest/snapshot/manifest.ts';
import type { Log } from '../log.ts';
import type { Network } from '../network.ts';
import type { ChainIdInquiry } from './chain-id-inquiry.ts';
import { prepareSchema, untilPrepared } from './database.ts';
import { checkSnapshotNetwork, decideNetwork, findIdentity, type Identity, isLogEmpty } from './identity.ts';

/** Milliseconds for which a start with a known network waits for nodes, which may belong to another network. */
const NODE_RESPONSE_MS = 1000;

export type DatabaseNetwork = {
  identity: Identity | undefined;
  /** Undefined while neither the settings, the database, a node nor an event shows the network. */
  network: Network | undefined;
  /** True if no event was ever logged. */
  empty: boolean;
};

export type DatabaseNetworkOptions = {
  config: Config;
  primary: Pool;
  inquiry: ChainIdInquiry;
  log: Log;
  halted: () => boolean;
};

/** Prepares the tables and finds the network of the database; throws if settings, database and nodes disagree. */
export async function findDatabaseNetwork(options: DatabaseNetworkOptions): Promise<DatabaseNetwork> {
  const { config, primary, inquiry, log, halted } = options;
  if (config.role === 'api') {
    const identity = await untilPrepared(primary, log, halted);
    await inquiry.settled(NODE_RESPONSE_MS);
    const reported = inquiry.reported(identity.network.chainId);
    const network = decideNetwork({ config, stored: identity.network, reported, empty: false });
    return { identity, network, empty: false };
  }
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
  return { identity, network, empty };
}

export type SnapshotRestore = Pick<DatabaseNetworkOptions, 'config' | 'primary' | 'inquiry' | 'log' | 'halted'> & {
  url: string;
};

/** Fills an empty database from the snapshot of the settings, after a check that the nodes are on the same chain. */
export async function restoreConfigured({
  config,
  url,
  primary,
  inquiry,
  log,
  halted,
}: SnapshotRestore): Promise<void> {
  if (config.snapshot === undefined) return;
  const check = async (snapshot: StoredManifest) => {
    await inquiry.settled(NODE_RESPONSE_MS);
    await checkSnapshotNetwork(primary, snapshot, config.network, inquiry.reported(snapshot.manifest.chain_id));
  };
  await beginWithSnapshot({ address: config.snapshot, storeOptions: config, url, sql: primary, check, log, halted });
}
