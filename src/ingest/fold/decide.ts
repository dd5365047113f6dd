import { MessageError } from '../../node/json.ts';
import { readMicroblocks } from '../../node/messages.ts';
import { genesisNamesPath, readGenesisNames } from '../load/genesis-names.ts';
import { knownPaths } from '../log/event-names.ts';
import type { LoggedEvent } from '../log/event-reader.ts';
import { readArrivals, readDrop } from '../mempool/messages.ts';
import { readAttachments } from '../rows/attachments.ts';
import { chunksPath, readSignerEvent, signerMessagesPath } from '../signers/signer-event.ts';
import { decideBlock } from './decide-block.ts';
import { decideBurnBlock } from './decide-burn.ts';
import type { Decision, Facts, IncomingEvent } from './decision.ts';
import { InvalidEvent, UnsupportedEvent } from './decode.ts';
import type { Step } from './plan.ts';
import type { FoldState } from './state.ts';

/**
 * Decides what an event means for the tables. Pure: facts that only the tables have are named by a `look_up` decision, and
 * the decision is made again with them. `batch` are the events that were taken together with this one.
 */
export function decide(
  state: FoldState,
  incoming: IncomingEvent,
  facts: Facts = {},
  batch: readonly IncomingEvent[] = [],
): Decision {
  const { event, message } = incoming;
  if (message instanceof MessageError) return quarantine(event, message.message);
  try {
    return decideReadable(state, incoming, facts, batch);
  } catch (error) {
    if (error instanceof InvalidEvent) return quarantine(event, error.message);
    if (error instanceof UnsupportedEvent) return { kind: 'halt', reason: error.message };
    throw error;
  }
}

/** Sets an event aside that cannot be read or has no place in the chain, and goes on. */
export const quarantine = (event: LoggedEvent, reason: string): Decision => ({
  kind: 'queue',
  step: { kind: 'quarantine', event, reason },
});

function decideReadable(
  state: FoldState,
  incoming: IncomingEvent,
  facts: Facts,
  batch: readonly IncomingEvent[],
): Decision {
  const { event, message } = incoming;
  switch (event.path) {
    case '/new_block':
      return decideBlock(state, incoming, facts, batch);
    case '/new_burn_block':
      return decideBurnBlock(state, incoming, facts);
    case '/new_microblocks':
      return independent(event, () => {
        const stream = readMicroblocks(message);
        // The hash of its block says which chain it is of: off the tip it moves nothing.
        const live = state.tip.height >= 1 && stream.parentIndexHash.equals(state.tip.indexHash);
        return { kind: 'microblocks', event, stream, live };
      });
    case '/new_mempool_tx':
      return independent(event, () => ({ kind: 'arrivals', event, arrivals: readArrivals(message) }));
    case '/drop_mempool_tx':
      return independent(event, () => ({ kind: 'drop', event, drop: readDrop(message) }));
    case '/attachments/new':
      return independent(event, () => ({ kind: 'attachments', event, ...readAttachments(message) }));
    case genesisNamesPath:
      return independent(event, () => ({ kind: 'genesis_names', event, part: readGenesisNames(message) }));
    case chunksPath:
    case signerMessagesPath:
      return independent(event, () => {
        const records = readSignerEvent(event.path, message);
        return records ? { kind: 'signer_messages', event, records } : { kind: 'nothing', event };
      });
    default: {
      const items = knownPaths.has(event.path) ? [] : [{ kind: 'path', name: event.path }];
      return { kind: 'queue', step: { kind: 'nothing', event }, unknown: [{ eventId: event.id, items }] };
    }
  }
}

/** An event that no block depends on; a confirming block also repeats everything that its microblocks said. */
function independent(event: LoggedEvent, read: () => Step): Decision {
  try {
    return { kind: 'queue', step: read() };
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    return quarantine(event, error.message);
  }
}
