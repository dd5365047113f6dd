import type { Sql } from '../../db/client.ts';
import type { ReadCaches } from '../read-caches.ts';
import { idOf, renderNftHistory, renderNftMint } from '../tokens/nft-schema.ts';
import { type LogEvent, renderEvent } from './event-schema.ts';
import { type EventRow, eventKey, type ListedEvent, listEventsAt } from './events-queries.ts';

/** The events of a list; those missing from the cache are read by one statement. */
export const renderEventList = (caches: ReadCaches, sql: Sql, listed: readonly ListedEvent[]) =>
  renderListAs(caches, sql, listed, 'event', renderEvent);

/** The prints of a contract: a list of them holds no event of another kind. */
export const renderLogList = (caches: ReadCaches, sql: Sql, listed: readonly ListedEvent[]) =>
  renderEventList(caches, sql, listed) as Promise<LogEvent[]>;

/** The moves of an NFT. */
export const renderNftMoveList = (caches: ReadCaches, sql: Sql, listed: readonly ListedEvent[]) =>
  renderListAs(caches, sql, listed, 'move', row => renderNftHistory(row, idOf(row)));

/** The mints of a class of NFTs. */
export const renderNftMintList = (caches: ReadCaches, sql: Sql, listed: readonly ListedEvent[]) =>
  renderListAs(caches, sql, listed, 'mint', row => renderNftMint(row, idOf(row)));

const renderListAs = <T>(
  caches: ReadCaches,
  sql: Sql,
  listed: readonly ListedEvent[],
  namespace: string,
  render: (row: EventRow) => T,
): Promise<T[]> =>
  caches.items.render(listed, {
    namespace,
    keyOf: entry => eventKey(entry),
    read: missing => listEventsAt(sql, missing),
    render: row => render(row),
  });
