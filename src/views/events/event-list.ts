import type { Pieces } from '../../cache/rendered-items.ts';
import type { Sql } from '../../db/client.ts';
import { type EventRow, type ListedEvent, listEventsAt } from '../../queries/events/events.ts';
import { type LogEvent, renderEvent } from '../../schemas/events/event.ts';
import { idOf, renderNftHistory, renderNftMint } from '../../schemas/tokens/nft.ts';

/** The place of an event as one text. */
export const eventKey = ({ height, place, event_index }: ListedEvent) => `${height} ${place} ${event_index}`;

/** The events of a list; those that were not shown of late are read by one question. */
export const gatherEvents = (pieces: Pieces, sql: Sql, listed: readonly ListedEvent[]) =>
  gatherAs(pieces, sql, listed, 'event', renderEvent);

/** The prints of a contract: a list of them holds no event of another kind. */
export const gatherLogs = (pieces: Pieces, sql: Sql, listed: readonly ListedEvent[]) =>
  gatherEvents(pieces, sql, listed) as Promise<LogEvent[]>;

/** The moves of an NFT. */
export const gatherNftMoves = (pieces: Pieces, sql: Sql, listed: readonly ListedEvent[]) =>
  gatherAs(pieces, sql, listed, 'move', row => renderNftHistory(row, idOf(row)));

/** The mints of a class of NFTs. */
export const gatherNftMints = (pieces: Pieces, sql: Sql, listed: readonly ListedEvent[]) =>
  gatherAs(pieces, sql, listed, 'mint', row => renderNftMint(row, idOf(row)));

const gatherAs = <T>(
  pieces: Pieces,
  sql: Sql,
  listed: readonly ListedEvent[],
  form: string,
  render: (row: EventRow) => T,
): Promise<T[]> =>
  pieces.gather(listed, {
    form,
    keyOf: entry => eventKey(entry),
    read: missing => listEventsAt(sql, missing),
    render: row => render(row),
  });
