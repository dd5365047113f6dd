import { ReorgDuringRead } from '../../cache/rendered-items.ts';
import type { Sql } from '../../db/client.ts';
import { badRequest, PublicError } from '../../errors.ts';
import { readWalkCursor, walkCursor } from './walk-cursor-params.ts';
import { type ChainPoint, findForkHeight, findWalkState } from './walk-queries.ts';

/** What was read of a list, and the cursors of other places in it. */
export type WalkedPage<T> = { found: T; cursorAt: (at: readonly number[] | undefined) => string | null };

type WalkRequest = {
  list: string;
  cursor?: string | undefined;
  /** The list is read as of the block of its pin, and not as of the tip. */
  asOf?: boolean;
};

/**
 * Reads a page of a list. A walk is pinned to the tip of its first page: while the chain has that block, everything below it stays what
 * it was. `read` gets the place that the cursor names, nothing at the beginning.
 */
export async function walk<T>(
  sql: Sql,
  { list, cursor = '', asOf = false }: WalkRequest,
  read: (at: readonly number[] | undefined, pin: ChainPoint | undefined) => Promise<T>,
): Promise<WalkedPage<T>> {
  const place = readWalkCursor(list, cursor);
  const before = await findWalkState(sql, place?.pin);
  if (place && !before.kept) throw await leftChain(sql, place.pin);
  const found = await read(place?.at, place?.pin ?? before.tip);
  const after = await findWalkState(sql);
  // Else a block of the page may have left the chain, or the pin may be of another branch than the page.
  if (after.revision !== before.revision) throw new ReorgDuringRead();
  const pin = place?.pin ?? (asOf ? before.tip : after.tip);
  return { found, cursorAt: at => (at === undefined || pin === undefined ? null : walkCursor(list, { pin, at })) };
}

async function leftChain(sql: Sql, pin: ChainPoint): Promise<PublicError> {
  const fork = await findForkHeight(sql, pin);
  if (fork === undefined) return badRequest('querystring/cursor names a block that this chain never had');
  const message =
    `A fork took the blocks above ${fork}, on which this walk began. Drop the results of blocks above ${fork} and begin again with an ` +
    'empty cursor: what lies below stays as it was';
  return new PublicError(409, message, { statusCode: 409, error: 'Conflict', message, resume_height: fork });
}
