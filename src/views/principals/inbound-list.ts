import type { Pieces } from '../../cache/rendered-items.ts';
import type { Sql } from '../../db/client.ts';
import { type ListedInbound, listInboundTransfersAt } from '../../queries/principals/inbound-transfers.ts';
import { type InboundTransfer, renderInboundTransfer } from '../../schemas/principals/inbound-transfer.ts';
import { eventKey } from '../events/event-list.ts';

/** STX that came in; what was not shown of late is read by one question. */
export const gatherInbound = (pieces: Pieces, sql: Sql, listed: readonly ListedInbound[]): Promise<InboundTransfer[]> =>
  pieces.gather(listed, {
    form: 'inbound',
    keyOf: entry => eventKey(entry),
    read: missing => listInboundTransfersAt(sql, missing),
    render: row => renderInboundTransfer(row),
  });
