import { type Static, Type } from 'typebox';
import { bareHex } from '../../codec/hex.ts';
import { addressNetwork, type Network } from '../../network.ts';
import type { Tip } from '../../queries/status/tip.ts';

/** How far a node is; nodes may add fields. */
export const NodeInfo = Type.Object(
  {
    peer_version: Type.Integer({ description: 'Version of the protocol between nodes.' }),
    pox_consensus: Type.String({ description: 'Consensus hash at the burn block.' }),
    burn_block_height: Type.Integer(),
    stable_pox_consensus: Type.String({ description: 'Consensus hash of a burn block that is deep enough to stay.' }),
    stable_burn_block_height: Type.Integer(),
    server_version: Type.String(),
    network_id: Type.Integer({ description: 'The chain id: 1 on mainnet, 2147483648 on testnet.' }),
    parent_network_id: Type.Integer({ description: 'The same of the burn chain.' }),
    stacks_tip_height: Type.Integer(),
    stacks_tip: Type.String({ description: 'Hash of the block at the tip.' }),
    stacks_tip_consensus_hash: Type.String(),
    unanchored_tip: Type.Union([Type.String(), Type.Null()], { description: 'Tip of the microblocks, if any.' }),
    exit_at_block_height: Type.Union([Type.Integer(), Type.Null()], { description: 'Where the node is told to stop.' }),
  },
  { title: 'NodeInfo', additionalProperties: true },
);
export type NodeInfo = Static<typeof NodeInfo>;

/** The same with a value of its type for every field, whatever the node leaves out or does not know. */
export const FullNodeInfo = Type.Object(
  {
    ...NodeInfo.properties,
    unanchored_tip: Type.String({ description: 'Tip of the microblocks; empty where there is none.' }),
    exit_at_block_height: Type.Integer({ description: 'Where the node is told to stop; 0 where it is not.' }),
  },
  { title: 'FullNodeInfo', additionalProperties: true },
);
export type FullNodeInfo = Static<typeof FullNodeInfo>;

/** Magic numbers of the burn chains, as nodes report them: Bitcoin, and its test networks. */
const PARENT = { mainnet: 3652501241, testnet: 118034699 };

/** The same fields from the index: the tip is ours, the rest what a node said last. */
export function renderIndexInfo(
  tip: Tip,
  network: Pick<Network, 'chainId' | 'mainnet'>,
  serverVersion: string,
  last: Readonly<Record<string, unknown>> = {},
): NodeInfo {
  const text = (key: keyof NodeInfo) => (typeof last[key] === 'string' ? last[key] : '');
  const number = (key: keyof NodeInfo) => (typeof last[key] === 'number' ? last[key] : 0);
  return {
    peer_version: number('peer_version'),
    pox_consensus: text('pox_consensus'),
    burn_block_height: tip.burnHeight,
    stable_pox_consensus: text('stable_pox_consensus'),
    // A node may have been ahead of our burn chain when it was asked last.
    stable_burn_block_height: Math.min(number('stable_burn_block_height'), tip.burnHeight),
    server_version: serverVersion,
    network_id: network.chainId,
    parent_network_id: number('parent_network_id') || PARENT[addressNetwork(network)],
    stacks_tip_height: Math.max(0, tip.height),
    stacks_tip: bareHex(tip.hash),
    stacks_tip_consensus_hash: text('stacks_tip_consensus_hash'),
    unanchored_tip: null,
    exit_at_block_height: null,
  };
}
