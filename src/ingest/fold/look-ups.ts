import type { Sql } from '../../db/client.ts';
import { eventById, type LoggedEvent } from '../log/event-reader.ts';
import { findTreeBlocks, waitingFor } from '../tree/block-tree.ts';
import { lookUpBurnBlocks } from '../tree/burn-tree.ts';
import type { KnownBlocks } from '../tree/known-blocks.ts';
import { blocksAboveFetched } from '../tree/refolded-blocks.ts';
import { blocksFromBurn } from '../tree/ruled-out-blocks.ts';
import type { Facts, IncomingEvent, LookUp } from './decision.ts';

/** Loads, with one query, every block and parent that the coming events name. */
export async function loadNamedBlocks(sql: Sql, known: KnownBlocks, events: readonly IncomingEvent[]): Promise<void> {
  if (known.complete) return;
  const hashes = new Map<string, Buffer>();
  for (const { event, message } of events) {
    if (event.path !== '/new_block' || message instanceof Error) continue;
    const named = message as { index_block_hash?: unknown; parent_index_block_hash?: unknown };
    for (const value of [named?.index_block_hash, named?.parent_index_block_hash]) {
      if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value)) continue;
      const hash = Buffer.from(value.slice(2), 'hex');
      if (!known.get(hash)) hashes.set(hash.toString('hex'), hash);
    }
  }
  // Blocks of steps that are not committed yet are in the cache.
  for (const block of await findTreeBlocks(sql, [...hashes.values()])) known.add(block);
}

/** Loads the facts that a decision needs. The queued steps must be committed. */
export async function lookUp(sql: Sql, wanted: LookUp): Promise<Facts> {
  switch (wanted.kind) {
    case 'waiting':
      return { waiting: await waitingFor(sql, wanted.indexHash, wanted.height) };
    case 'above_fetched':
      return { aboveFetched: await blocksAboveFetched(sql, wanted.hashes) };
    case 'blocks_from_burn':
      return { blocksFromBurn: await blocksFromBurn(sql, wanted.burns) };
    case 'events': {
      const events = new Map<bigint, LoggedEvent>();
      for (const id of wanted.ids) {
        const event = await eventById(sql, id);
        if (event) events.set(id, event);
      }
      return { events };
    }
    default:
      return await lookUpBurnBlocks(sql, wanted);
  }
}
