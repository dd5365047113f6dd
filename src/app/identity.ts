import { describeNetwork, type Network, networkOf, parseNetwork } from '@cairn-stacks/codec/network';
import type { Config } from '../config/config.ts';
import type { Sql } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import type { StoredManifest } from '../ingest/snapshot/manifest.ts';
import { isRestoring } from '../ingest/snapshot/restore-state.ts';
import type { ChainMark } from '../node/chain-mark.ts';

/** The network of a database, as stored at its first start. */
export type Identity = {
  network: Network;
  /** True if the blocks come from the built-in devnet. */
  simulated: boolean;
};

type IdentityRow = { network: string; chain_id: bigint; simulated: boolean };

/** Undefined while the network of the database is not known. */
export async function findIdentity(sql: Sql): Promise<Identity | undefined> {
  const [row] = await sql<IdentityRow[]>`
    select i.network, i.chain_id, i.simulated
    from chain_identity i
  `;
  if (!row) return undefined;
  return { network: networkNamed(row.network, Number(row.chain_id)), simulated: row.simulated };
}

/** The network by its name in `chain_identity`. */
const networkNamed = (name: string, chainId: number): Network =>
  parseNetwork(name) ?? networkOf(chainId, name === 'custom-mainnet');

/** True if no event was ever logged. */
export async function isLogEmpty(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ empty: boolean }[]>`select h.last_id = 0 as empty from event_log_head h`;
  return row!.empty;
}

/** Stores the identity unless there is one; `simulated` may still change from false to true. */
export async function storeIdentity(sql: Sql, network: Network, simulated: boolean): Promise<void> {
  const name = network.name === 'custom' && network.mainnet ? 'custom-mainnet' : network.name;
  await sql`
    insert into chain_identity (network, chain_id, simulated)
    values (${name}, ${network.chainId}, ${simulated})
    on conflict do nothing
  `;
  if (simulated) await sql`update chain_identity set simulated = true where not simulated`;
}

export type NetworkFacts = {
  config: Pick<Config, 'network' | 'nodes' | 'databaseUrl' | 'devnet' | 'role'>;
  stored: Network | undefined;
  /** The chain id that a node reported; undefined if none has responded yet. */
  reported?: number | undefined;
  /** The network of the first logged event with a signed transaction; undefined if there is none yet. */
  logged?: ChainMark | undefined;
  /** True if no event was ever logged. */
  empty: boolean;
};

/**
 * Decides the network; undefined while no source names it. Throws if the setting, the database, the nodes and, while the
 * database has no network, its events disagree.
 */
export function decideNetwork({ config, stored, reported, logged, empty }: NetworkFacts): Network | undefined {
  const wanted = config.network;
  if (wanted && stored && !sameNetwork(wanted, stored)) {
    throw new UsageError(
      `this database holds ${describeNetwork(stored)}, but CAIRN_NETWORK is ${describeNetwork(wanted)}: ` +
        'one database holds one chain; use another database or change the setting',
    );
  }
  const seen = logged && networkOf(logged.chainId, logged.mainnet);
  const known = wanted ?? stored ?? seen;
  if (known && reported !== undefined && reported !== known.chainId) {
    // With several nodes, any of them may have reported it.
    const [only, ...others] = config.nodes;
    const node = only && others.length === 0 ? `the node at ${only.url}` : 'a node of CAIRN_NODES';
    const holder = wanted ? 'CAIRN_NETWORK is' : stored ? 'this database holds' : 'the received events are from';
    throw new UsageError(
      `${node} is on ${describeNetwork(networkOf(reported))}, but ${holder} ${describeNetwork(known)}`,
    );
  }
  if (known) return known;
  if (reported !== undefined) return networkOf(reported);
  return config.devnet && devnetAllowed(config, undefined, empty) ? parseNetwork('devnet')! : undefined;
}

const sameNetwork = (a: Network, b: Network) => a.name === b.name && a.chainId === b.chainId;

/** True if the simulated devnet may run; never if its blocks could get into the index of a real network. */
export function devnetAllowed(
  config: Pick<Config, 'network' | 'nodes' | 'databaseUrl' | 'role'>,
  identity: Identity | undefined,
  empty: boolean,
): boolean {
  return (
    config.nodes.length === 0 &&
    config.databaseUrl === undefined &&
    config.role === 'all' &&
    (config.network === undefined || config.network.name === 'devnet') &&
    // Events that arrived before the network was known come from a real node.
    (identity === undefined ? empty : identity.network.name === 'devnet' && (empty || identity.simulated))
  );
}

/** Throws if a snapshot is of another chain than the settings, the database or a node. */
export async function checkSnapshotNetwork(
  sql: Sql,
  { name, manifest }: StoredManifest,
  wanted: Network | undefined,
  reported?: number,
): Promise<void> {
  const network = networkNamed(manifest.network, manifest.chain_id);
  const refuse = (holder: string, other: Network) =>
    new UsageError(
      `the snapshot ${name} holds ${describeNetwork(network)}, but ${holder} ${describeNetwork(other)}: one database holds one chain`,
    );
  if (wanted && (wanted.chainId !== network.chainId || wanted.name !== network.name)) {
    throw refuse('CAIRN_NETWORK is', wanted);
  }
  if (reported !== undefined && reported !== network.chainId) throw refuse('a node is on', networkOf(reported));
  const [row] = await sql<{ exists: boolean }[]>`select to_regclass('public.chain_identity') is not null as exists`;
  const stored = row!.exists && !(await isRestoring(sql)) ? await findIdentity(sql) : undefined;
  if (stored && stored.network.chainId !== network.chainId) throw refuse('this database holds', stored.network);
}
