import * as incumbent from '../incumbent-settings.ts';
import * as is from '../setting.ts';
import { optional, set } from '../setting.ts';

/** The network and its nodes. */
export const nodesSettings = {
  network: optional({
    name: 'CAIRN_NETWORK',
    kind: is.network,
    unset: 'learned from events or a node; devnet without nodes',
    aliases: [incumbent.chainId],
    about: 'Network of this database. It is stored once it is known, and checked at every later start.',
  }),
  nodes: set({
    name: 'CAIRN_NODES',
    kind: is.list(is.node),
    fallback: '',
    aliases: [incumbent.nodeParts],
    secret: true,
    about:
      "Comma-separated nodes behind the RPC proxy. `header` is sent with every request, `auth` only with Cairn's own requests to protected endpoints.",
  }),
  nodeTimeout: set({
    name: 'CAIRN_NODE_TIMEOUT',
    kind: is.seconds,
    fallback: '30',
    about: 'Seconds a node has to start its response, and to send each further chunk.',
  }),
  nodeHedgeDelay: set({
    name: 'CAIRN_NODE_HEDGE_DELAY',
    kind: is.milliseconds,
    fallback: '250',
    about: 'Milliseconds without a response after which a read is also sent to a second node.',
  }),
  nodeMaxLag: set({
    name: 'CAIRN_NODE_MAX_LAG',
    kind: is.integer('a number of blocks', 0, 1_000_000),
    fallback: '5',
    about: 'Blocks that a node may be behind the best node and still be used like it.',
  }),
  nodeConnections: set({
    name: 'CAIRN_NODE_CONNECTIONS',
    kind: is.integer('a number of connections from 1 to 10000', 1, 10_000),
    fallback: '128',
    about: 'Maximum connections to each node. When all connections to all nodes are busy, requests get 503.',
  }),
  nodeResponseLimit: set({
    name: 'CAIRN_NODE_RESPONSE_LIMIT',
    kind: is.bytes,
    fallback: '134217728',
    about: 'Maximum size of a response of a node in bytes.',
  }),
  nodePaths: set({
    name: 'CAIRN_NODE_PATHS',
    kind: is.list(is.path),
    fallback: '',
    about:
      'Comma-separated paths (with everything below them) that are blocked by default and should be proxied, such as `/v3/block_proposal`.',
  }),
  broadcastNodes: set({
    name: 'CAIRN_BROADCAST_NODES',
    kind: is.integer('a number of nodes from 1 to 100', 1, 100),
    fallback: '3',
    about:
      'Nodes to which a transaction is sent in parallel. The response of the first one that accepts it is returned.',
  }),
} as const;
