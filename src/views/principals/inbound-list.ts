import type { ReadCaches } from '../../cache/read-caches.ts';
import type { Sql } from '../../db/client.ts';
import { type ListedInbound, listInboundTransfersAt } from '../../queries/principals/inbound-transfers.ts';
import { type InboundTransfer, renderInboundTransfer } from '../../schemas/principals/inbound-transfer.ts';
import { eventKey } from '../events/event-list.ts';

/** Incoming STX transfers; those missing from the cache are read by one statement. */
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
