import { type Static, Type } from 'typebox';

/** How far a node is behind its neighbours. */
export const NodeHealth = Type.Object({
  difference_from_max_peer: Type.Integer(),
  max_stacks_height_of_neighbors: Type.Integer(),
  node_stacks_tip_height: Type.Integer(),
});
export type NodeHealth = Static<typeof NodeHealth>;

/** The tenure that a node is in. */
export const NodeTenure = Type.Object({
  consensus_hash: Type.String(),
  tenure_start_block_id: Type.String(),
  parent_consensus_hash: Type.String(),
  parent_tenure_start_block_id: Type.String(),
  tip_block_id: Type.String(),
  tip_height: Type.Integer(),
  reward_cycle: Type.Integer(),
});
export type NodeTenure = Static<typeof NodeTenure>;
