import type { Sql } from '../../db/client.ts';
import { eventKey } from '../events/events-queries.ts';
import type { ReadCaches } from '../read-caches.ts';
import { type InboundTransfer, renderInboundTransfer } from './inbound-transfer-schema.ts';
import { type ListedInbound, listInboundTransfersAt } from './inbound-transfers-queries.ts';

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
