import { inSnapshot } from '../../db/pool/snapshot.ts';
import { identifierOf } from '../block-identifier.ts';
import type { RosettaContext } from '../context.ts';
import { RosettaError } from '../errors.ts';
import { countBlockEvents, listBlockEvents } from '../queries/block-events.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';
import { RosettaEvents, RosettaEventsRequest } from '../schemas/search.ts';

const DEFAULT_LIMIT = 100;
const MOST = 1000;

/** Blocks that were added and removed, in order. */
export function eventsRoute({ blockHash }: RosettaContext): RosettaRoute {
  return rosettaRoute({
    path: '/events/blocks',
    operationId: 'rosetta_events_blocks',
    summary: 'List block events',
    description:
      'Returns the blocks that joined the chain or were removed from it by a fork, in the order in which this ' +
      'happened. Without `offset` the newest events are returned. `limit` is 100 by default and at most 1,000.',
    request: RosettaEventsRequest,
    response: RosettaEvents,
    async handler({ offset, limit = DEFAULT_LIMIT }, sql) {
      return await inSnapshot(sql, async sql => {
        const total = await countBlockEvents(sql);
        if (total === 0) throw new RosettaError(605);
        const count = Math.min(limit, MOST);
        const events = await listBlockEvents(sql, offset ?? Math.max(0, total - count), count);
        return {
          max_sequence: total - 1,
          events: events.map(({ sequence, added, ...block }) => ({
            sequence,
            block_identifier: identifierOf(block, blockHash),
            type: added ? ('block_added' as const) : ('block_removed' as const),
          })),
        };
      });
    },
  });
}
