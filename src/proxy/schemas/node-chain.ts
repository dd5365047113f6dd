import { type Static, Type } from 'typebox';

/** How far a node is behind its neighbours. */
export const NodeHealth = Type.Object({
  difference_from_max_peer: Type.Integer({
    description: 'Number of blocks that the node is behind the highest of its peers.',
  }),
  max_stacks_height_of_neighbors: Type.Integer({ description: 'Height of the highest peer.' }),
  node_stacks_tip_height: Type.Integer({ description: 'Height of the node.' }),
});
export type NodeHealth = Static<typeof NodeHealth>;

/** The tenure that a node is in. */
export const NodeTenure = Type.Object({
  consensus_hash: Type.String({ description: 'Consensus hash of the tenure.' }),
  tenure_start_block_id: Type.String({ description: 'Index block hash of the first block of the tenure.' }),
  parent_consensus_hash: Type.String(),
  parent_tenure_start_block_id: Type.String(),
  tip_block_id: Type.String({ description: 'Index block hash of the tip.' }),
  tip_height: Type.Integer({ description: 'Height of the tip.' }),
  reward_cycle: Type.Integer({ description: 'Number of the reward cycle.' }),
});
export type NodeTenure = Static<typeof NodeTenure>;
