import type { Config } from '../config.ts';
import type { Sql } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { describeNetwork, type Network, networkOf, parseNetwork } from '../network.ts';
import type { NodeSetting } from '../setting.ts';

/** Which chain a database belongs to, as it was written at its first start. */
export type Identity = {
  network: Network;
  /** The blocks come from the built-in devnet. */
  simulated: boolean;
  /** No event was ever logged. */
  empty: boolean;
};

type IdentityRow = { network: string; chain_id: bigint; simulated: boolean; empty: boolean };

/** Undefined in a database that has not been started yet. */
export async function findIdentity(sql: Sql): Promise<Identity | undefined> {
  const [row] = await sql<IdentityRow[]>`
    select i.network, i.chain_id, i.simulated, h.last_id = 0 as empty
    from chain_identity i, event_log_head h
  `;
  if (!row) return undefined;
  const addresses = row.network === 'custom-mainnet' ? 'mainnet' : 'testnet';
  const network = parseNetwork(row.network) ?? networkOf(Number(row.chain_id), addresses);
  return { network, simulated: row.simulated, empty: row.empty };
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
  config: Pick<Config, 'network' | 'nodes' | 'databaseUrl'>;
  stored: Network | undefined;
  /** The chain id that a node reported; undefined when none answered. */
  reported: number | undefined;
};

/** The network to run on; refuses when the setting, the database and the nodes do not agree, or nothing says it. */
export function decideNetwork({ config, stored, reported }: NetworkFacts): Network {
  const wanted = config.network;
  if (wanted && stored && !sameNetwork(wanted, stored)) {
    throw new UsageError(
      `this database holds ${describeNetwork(stored)}, but CAIRN_NETWORK asks for ${describeNetwork(wanted)}: ` +
        'one database holds one chain; use another database or change the setting',
    );
  }
  const known = wanted ?? stored;
  if (known && reported !== undefined && reported !== known.chainId) {
    // Of several, the first that answered was asked.
    const [only, ...others] = config.nodes;
    const node = only && others.length === 0 ? `the node at ${only.url}` : 'a node of CAIRN_NODES';
    throw new UsageError(
      `${node} is on ${describeNetwork(networkOf(reported))}, but ` +
        `${wanted ? 'CAIRN_NETWORK asks for' : 'this database holds'} ${describeNetwork(known)}`,
    );
  }
  if (known) return known;
  if (reported !== undefined) return networkOf(reported);
  if (config.nodes.length > 0) {
    throw new UsageError(
      `no node answered (${config.nodes.map(node => node.url).join(', ')}), so the network is unknown: start a node or set CAIRN_NETWORK`,
    );
  }
  if (config.databaseUrl !== undefined) {
    throw new UsageError(
      'DATABASE_URL is set but nothing says which chain it is for: set CAIRN_NETWORK or CAIRN_NODES',
    );
  }
  return parseNetwork('devnet')!;
}

const sameNetwork = (a: Network, b: Network) => a.name === b.name && a.chainId === b.chainId;

/** Whether the simulated devnet may run: never where its blocks could end up in somebody's real index. */
export function devnetAllowed(
  config: Pick<Config, 'network' | 'nodes' | 'databaseUrl' | 'role'>,
  identity: Identity | undefined,
): boolean {
  return (
    config.nodes.length === 0 &&
    config.databaseUrl === undefined &&
    config.role === 'all' &&
    (config.network === undefined || config.network.name === 'devnet') &&
    (identity === undefined || (identity.network.name === 'devnet' && (identity.empty || identity.simulated)))
  );
}

/** Asks the nodes in turn for their chain id; undefined when none answers. */
export async function askChainId(nodes: readonly NodeSetting[], timeoutMs = 3000): Promise<number | undefined> {
  for (const { url, headers } of nodes) {
    try {
      const response = await fetch(`${url}/v2/info`, { headers, signal: AbortSignal.timeout(timeoutMs) });
      const info = (await response.json()) as { network_id?: unknown };
      if (typeof info.network_id === 'number') return info.network_id;
    } catch {
      // The next node may answer; the caller says what it means when none does.
    }
  }
  return undefined;
}
