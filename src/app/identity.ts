import type { Config } from '../config/config.ts';
import type { Sql } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { describeNetwork, type Network, networkOf, parseNetwork } from '../network.ts';
import type { ChainMark } from '../node/chain-mark.ts';

/** Which chain a database belongs to, as it was written at its first start. */
export type Identity = {
  network: Network;
  /** The blocks come from the built-in devnet. */
  simulated: boolean;
};

type IdentityRow = { network: string; chain_id: bigint; simulated: boolean };

/** Undefined in a database whose chain is not known yet. */
export async function findIdentity(sql: Sql): Promise<Identity | undefined> {
  const [row] = await sql<IdentityRow[]>`
    select i.network, i.chain_id, i.simulated
    from chain_identity i
  `;
  if (!row) return undefined;
  const addresses = row.network === 'custom-mainnet' ? 'mainnet' : 'testnet';
  const network = parseNetwork(row.network) ?? networkOf(Number(row.chain_id), addresses);
  return { network, simulated: row.simulated };
}

/** Whether no event was ever logged. */
export async function isLogEmpty(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ empty: boolean }[]>`select h.last_id = 0 as empty from event_log_head h`;
  return row!.empty;
}

/** Writes the identity once; a database that already has one keeps it, but an empty one may still become simulated. */
export async function storeIdentity(sql: Sql, network: Network, simulated: boolean): Promise<void> {
  const name = network.name === 'custom' && network.addresses === 'mainnet' ? 'custom-mainnet' : network.name;
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
  /** The chain id that a node reported; undefined when none has answered yet. */
  reported?: number | undefined;
  /** What the first logged event with a signed transaction says of its chain; undefined when there is none yet. */
  logged?: ChainMark | undefined;
  /** No event was ever logged. */
  empty: boolean;
};

/**
 * The network to run on, or undefined while nothing says it; refuses when the setting, the database, the nodes and, before
 * the database has a network, its events do not agree.
 */
export function decideNetwork({ config, stored, reported, logged, empty }: NetworkFacts): Network | undefined {
  const wanted = config.network;
  if (wanted && stored && !sameNetwork(wanted, stored)) {
    throw new UsageError(
      `this database holds ${describeNetwork(stored)}, but CAIRN_NETWORK asks for ${describeNetwork(wanted)}: ` +
        'one database holds one chain; use another database or change the setting',
    );
  }
  const seen = logged && networkOf(logged.chainId, logged.mainnet ? 'mainnet' : 'testnet');
  const known = wanted ?? stored ?? seen;
  if (known && reported !== undefined && reported !== known.chainId) {
    // Of several, the first that answered was asked.
    const [only, ...others] = config.nodes;
    const node = only && others.length === 0 ? `the node at ${only.url}` : 'a node of CAIRN_NODES';
    const holder = wanted
      ? 'CAIRN_NETWORK asks for'
      : stored
        ? 'this database holds'
        : 'the events that were received are from';
    throw new UsageError(
      `${node} is on ${describeNetwork(networkOf(reported))}, but ${holder} ${describeNetwork(known)}`,
    );
  }
  if (known) return known;
  if (reported !== undefined) return networkOf(reported);
  return config.devnet && devnetAllowed(config, undefined, empty) ? parseNetwork('devnet')! : undefined;
}

const sameNetwork = (a: Network, b: Network) => a.name === b.name && a.chainId === b.chainId;

/** Whether the simulated devnet may run: never where its blocks could end up in somebody's real index. */
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
    // Events that came before the network was known are somebody's too.
    (identity === undefined ? empty : identity.network.name === 'devnet' && (empty || identity.simulated))
  );
}
