import type { BlockPayload } from './block-payload.ts';
import { conditionScope, isHeight, openCondition } from './condition.ts';
import { renderOccurrenceBlock } from './occurrence-block.ts';
import type { ReadPredicate } from './predicate.ts';
import { jsonOf } from './value-text.ts';

/** What is stored of a predicate of version 1; `tip` is the height of the chain when it was added. */
export type StoredPredicate = Omit<ReadPredicate, 'url' | 'authorization'> & { tip: number };

/** The payload of Chainhook 1.x. */
export function occurrencePayload(id: number, predicate: StoredPredicate): BlockPayload {
  const { uuid, condition, blocks, start_block: start = 0, tip } = predicate;
  const heights = blocks && new Set(blocks);
  const matches = openCondition(condition);
  return {
    id,
    scope: heights ? undefined : conditionScope(condition),
    wantsHeight: height =>
      height >= start &&
      heights?.has(height) !== false &&
      (condition.scope !== 'block_height' || isHeight(condition, height)),
    matches,
    renderBlock: (block, chosen) => jsonOf(renderOccurrenceBlock(block, chosen, predicate)),
    bodyOf(apply, rollback, delivered) {
      const streaming = delivered === undefined || delivered.last > tip;
      const chainhook = JSON.stringify({ uuid, predicate: condition, is_streaming_blocks: streaming });
      return `{"apply":[${apply}],"rollback":[${rollback}],"events":[],"chainhook":${chainhook}}`;
    },
  };
}
