import { type Static, Type } from 'typebox';

const NodeState = Type.Object(
  {
    name: Type.String({ description: 'As in x-stacks-node; addresses are not told.' }),
    state: Type.String({
      description:
        'healthy, behind (of the best), doubted (claims a height that it cannot show), ejected (calls failed), down, or unknown (not checked yet).',
    }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is down.' }),
    height: Type.Union([Type.Integer(), Type.Null()]),
    burn_height: Type.Union([Type.Integer(), Type.Null()]),
    lag: Type.Union([Type.Integer(), Type.Null()], { description: 'Blocks behind the best.' }),
    peer_lag: Type.Union([Type.Integer(), Type.Null()], { description: 'Blocks behind its own peers, as it says.' }),
    latency_ms: Type.Number({ description: 'Mean time until an answer begins.' }),
    in_flight: Type.Integer({ description: 'Calls under way.' }),
    weight: Type.Number(),
    checked_at: Type.Union([Type.String(), Type.Null()]),
    off_chain_since: Type.Union([Type.String(), Type.Null()], {
      description: 'Since when its tip is on another branch than the served chain; told after a minute.',
    }),
    server_version: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'NodeState' },
);

export const NodePoolStatus = Type.Object(
  {
    best_height: Type.Union([Type.Integer(), Type.Null()], { description: 'Greatest height that is believed.' }),
    healthy: Type.Integer({ description: 'Nodes that are asked first.' }),
    nodes: Type.Array(NodeState),
  },
  { title: 'NodePoolStatus' },
);
export type NodePoolStatus = Static<typeof NodePoolStatus>;
