import { type Static, Type } from 'typebox';

const NodeState = Type.Object(
  {
    name: Type.String({ description: 'Name of the node, as in the response header `X-Stacks-Node`.' }),
    state: Type.String({
      description:
        '`healthy`, `behind` (lower than the best node), `doubted` (reports a height that it cannot prove), `ejected` (calls failed), `down`, or `unknown` (not checked yet).',
    }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'Why the node is down; null otherwise.' }),
    height: Type.Union([Type.Integer(), Type.Null()], { description: 'Height of the node; null if it is not up.' }),
    burn_height: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Burn block height of the node; null if it is not up.',
    }),
    lag: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of blocks behind the best node; null if unknown.',
    }),
    peer_lag: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of blocks behind its own peers, as the node reports; null if unknown.',
    }),
    latency_ms: Type.Number({ description: 'Mean time until a response starts, in milliseconds.' }),
    in_flight: Type.Integer({ description: 'Number of requests in flight.' }),
    ejections: Type.Integer({
      description: 'How often the node was ejected because calls failed, since this process started.',
    }),
    weight: Type.Number({ description: 'Share of the requests relative to other nodes.' }),
    checked_at: Type.Union([Type.String(), Type.Null()], {
      description: 'Time of the last health check, as UTC text; null before the first.',
    }),
    off_chain_since: Type.Union([Type.String(), Type.Null()], {
      description:
        'Since when the tip of the node has been on another branch than the served chain, as UTC text; null before one minute has passed.',
    }),
    server_version: Type.Union([Type.String(), Type.Null()], { description: 'Version of the node; null if unknown.' }),
  },
  { title: 'NodeState' },
);

export const NodePoolStatus = Type.Object(
  {
    best_height: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Highest trusted height of all nodes; null if unknown.',
    }),
    healthy: Type.Integer({ description: 'Number of nodes that are used first.' }),
    nodes: Type.Array(NodeState),
  },
  { title: 'NodePoolStatus' },
);
export type NodePoolStatus = Static<typeof NodePoolStatus>;
