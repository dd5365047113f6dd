import { toHex } from '@cairn-stacks/codec/hex';
import { positionText } from '../chain/position.ts';
import type { Step } from './feed.ts';
import type { StreamTopic } from './topics.ts';

type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** A topic with the JSON of each of its items. */
export type TopicList = readonly [topic: StreamTopic, items: readonly string[]];

/** The JSON of a message that adds a block, or a part of it; `more` says that another message continues the block. */
export function applyJson({ position, block }: StepOf<'apply'>, lists: readonly TopicList[], more: boolean): string {
  const parts = lists.map(([topic, items]) => `"${topic}":[${items.join(',')}],`).join('');
  return `{"type":"apply","position":"${positionText(position)}","block":${block},${parts}"more":${more}}`;
}

/** The JSON of a message with transactions of the mempool. */
export const mempoolJson = ({ position }: StepOf<'mempool'>, items: readonly string[]): string =>
  `{"type":"mempool","position":"${positionText(position)}","transactions":[${items.join(',')}]}`;

/** The JSON of a message that removes blocks. */
export function rollbackJson({ position, from, removed }: StepOf<'rollback'>): string {
  const reference = (height: number, hash: Uint8Array) => ({ height, index_block_hash: toHex(hash) });
  return JSON.stringify({
    type: 'rollback',
    position: positionText(position),
    from: reference(from.height, from.index_hash),
    to: reference(position.height, position.indexHash),
    removed: removed.map(toHex),
  });
}
