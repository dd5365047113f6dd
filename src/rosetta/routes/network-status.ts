import { inSnapshot } from '../../db/pool/snapshot.ts';
import { findBlock, findFirstBlock } from '../../read/blocks/blocks-queries.ts';
import { identifierOf } from '../block-identifier.ts';
import { timestampOf } from '../blocks.ts';
import type { RosettaContext } from '../context.ts';
import { RosettaError } from '../errors.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';
import { RosettaNetworkRequest, RosettaNetworkStatus } from '../schemas/network.ts';

/** The status of the index and the nodes. */
export function networkStatusRoute({ nodes, blockHash }: RosettaContext): RosettaRoute {
  return rosettaRoute({
    path: '/network/status',
    operationId: 'rosetta_network_status',
    summary: 'Get the network status',
    description:
      'Returns the tip and the first block of the index and, if nodes are configured, their peers and how far the ' +
      'index is behind them. `current_block_timestamp` is in milliseconds.',
    request: RosettaNetworkRequest,
    response: RosettaNetworkStatus,
    async handler(_request, sql) {
      const fromNodes = Promise.all([nodes?.peers(), nodes?.tipHeight()]);
      const [tip, first] = await inSnapshot(sql, sql => Promise.all([findBlock(sql, 'latest'), findFirstBlock(sql)]));
      if (!tip || !first) throw new RosettaError(605);
      const [peers = [], target] = await fromNodes;
      return {
        current_block_identifier: identifierOf(tip, blockHash),
        current_block_timestamp: timestampOf(tip),
        genesis_block_identifier: identifierOf(first, blockHash),
        peers: peers.map(peer_id => ({ peer_id })),
        current_burn_block_height: tip.burn_height,
        ...(target !== undefined && {
          sync_status: { current_index: tip.height, target_index: target, synced: tip.height >= target },
        }),
      };
    },
  });
}
