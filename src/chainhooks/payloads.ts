import type { Pool } from '../db/client.ts';
import type { OpenPayload } from '../webhooks/payload.ts';
import { openStreamPayload } from '../webhooks/stream-payload.ts';
import { HookBlocks } from './block.ts';
import { openBlockPayload } from './block-payload.ts';
import { eventPayload, type StoredDefinition } from './event-payload.ts';
import { occurrencePayload, type StoredPredicate } from './occurrence-payload.ts';

/** All payloads that hooks may have; blocks are read with these connections. */
export function openPayloads(sql: Pool): OpenPayload {
  const blocks = new HookBlocks(sql);
  return hook => {
    const { id, payload, selection } = hook;
    if (payload === 'chainhooks-2')
      return openBlockPayload(sql, blocks, eventPayload(id, selection as StoredDefinition));
    if (payload === 'chainhook-1')
      return openBlockPayload(sql, blocks, occurrencePayload(id, selection as StoredPredicate));
    return openStreamPayload(hook);
  };
}
