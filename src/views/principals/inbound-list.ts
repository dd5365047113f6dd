import type { ReadCaches } from '../../cache/read-caches.ts';
import type { Sql } from '../../db/client.ts';
import { type ListedInbound, listInboundTransfersAt } from '../../queries/principals/inbound-transfers.ts';
import { type InboundTransfer, renderInboundTransfer } from '../../schemas/principals/inbound-transfer.ts';
import { eventKey } from '../events/event-list.ts';

/** STX that came in; what was not shown of late is read by one question. */
export const renderInboundList = (
  caches: ReadCaches,
  sql: Sql,
  listed: readonly ListedInbound[],
): Promise<InboundTransfer[]> =>
  caches.items.render(listed, {
    namespace: 'inbound',
    keyOf: entry => eventKey(entry),
    read: missing => listInboundTransfersAt(sql, missing),
    render: row => renderInboundTransfer(row),
  });
