import { bareHex } from '@cairn-stacks/codec/hex';
import { addressNetwork, type Network } from '@cairn-stacks/codec/network';
import { type Static, Type } from 'typebox';
import type { Tip } from '../../cache/tip-queries.ts';

/** How far a node is; nodes may add fields. */
export const NodeInfo = Type.Object(
  {
    peer_version: Type.Integer({ description: 'Version of the peer-to-peer protocol.' }),
    pox_consensus: Type.String({ description: 'Consensus hash of the burn block.' }),
    burn_block_height: Type.Integer({ description: 'Height of the newest burn block.' }),
    stable_pox_consensus: Type.String({
      description: 'Consensus hash of the newest burn block that is considered final.',
    }),
    stable_burn_block_height: Type.Integer({ description: 'Height of that burn block.' }),
    server_version: Type.String({ description: 'Version of the node.' }),
    network_id: Type.Integer({ description: 'Chain id: 1 on mainnet, 2147483648 on testnet.' }),
    parent_network_id: Type.Integer({ description: 'Network id of the burn chain.' }),
    stacks_tip_height: Type.Integer({ description: 'Height of the tip.' }),
    stacks_tip: Type.String({ description: 'Hash of the tip.' }),
    stacks_tip_consensus_hash: Type.String({ description: 'Consensus hash of the tip.' }),
    unanchored_tip: Type.Union([Type.String(), Type.Null()], {
      description: 'Hash of the last unconfirmed microblock; null if there is none.',
    }),
    exit_at_block_height: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Height at which the node is configured to stop; null if it is not.',
    }),
  },
  { title: 'NodeInfo', additionalProperties: true },
);
export type NodeInfo = Static<typeof NodeInfo>;

/** Node information with a value of its type for every field, also for those that the node omits. */
export const FullNodeInfo = Type.Object(
  {
    ...NodeInfo.properties,
    unanchored_tip: Type.String({ description: 'Hash of the last unconfirmed microblock; empty if there is none.' }),
    exit_at_block_height: Type.Integer({
      description: 'Height at which the node is configured to stop; 0 if it is not.',
    }),
  },
  { title: 'FullNodeInfo', additionalProperties: true },
);
export type FullNodeInfo = Static<typeof FullNodeInfo>;

/** Magic numbers of the burn chains, as nodes report them: Bitcoin, and its test networks. */
const PARENT = { mainnet: 3652501241, testnet: 118034699 };

/** Node information from the index: the tip is ours, the rest what a node said last. */
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
    // A node may have been ahead of our burn chain at its last response.
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
