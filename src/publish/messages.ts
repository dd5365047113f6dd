import type { Position } from '../chain/position.ts';
import { positionText } from '../chain/position.ts';
import type { Step } from '../stream/feed.ts';
import type { StreamItem } from '../stream/item.ts';
import { applyJson, mempoolJson, rollbackJson } from '../stream/message-json.ts';
import type { StreamTopic } from '../stream/topics.ts';

/** The last part of a subject: a topic of the streams, or what removes blocks for all of them. */
export type Topic = StreamTopic | 'rollback';

/** One message of the broker. */
export type Message = {
  topic: Topic;
  /** Unique in the stream: the position and the number of the part. */
  id: string;
  body: string;
  position: Position;
  after: Position;
  part: number;
  parts: number;
};

/** Bytes of items in a message; an item that is larger is alone in its message. The server takes 1 MB unless told otherwise. */
const MESSAGE_BYTES = 500_000;

/** The block itself is the last message of a block: everything else about it was sent before. */
const order = ['transactions', 'events', 'transfers', 'contract_logs', 'sbtc'] as const;

/** The messages of a step in their order; the same again for the same step. */
export function messagesOf(step: Step, after: Position, topics: ReadonlySet<StreamTopic>): Message[] {
  const bodies = bodiesOf(step, topics);
  const text = positionText(step.position);
  return bodies.map(([topic, body], index) => ({
    ...{ topic, body, position: step.position, after },
    ...{ id: `${text}.${index + 1}`, part: index + 1, parts: bodies.length },
  }));
}

function bodiesOf(step: Step, topics: ReadonlySet<StreamTopic>): [Topic, string][] {
  if (step.kind === 'rollback') return [['rollback', rollbackJson(step)]];
  if (step.kind === 'mempool') {
    if (!topics.has('mempool')) return [];
    return portions(step.items.mempool ?? []).map(items => ['mempool', mempoolJson(step, items)]);
  }
  const isWhole = step.position.rest === undefined;
  const bodies = order
    .filter(topic => topics.has(topic))
    .flatMap(topic =>
      portions(step.items[topic] ?? []).map((items, index, all): [Topic, string] => {
        const more = !isWhole || index + 1 < all.length;
        return [topic, applyJson(step, [[topic, items]], more)];
      }),
    );
  return isWhole && topics.has('blocks') ? [...bodies, ['blocks', applyJson(step, [], false)]] : bodies;
}

/** The items in lists that fit into messages. */
function portions(items: readonly StreamItem[]): string[][] {
  const lists: string[][] = [];
  let room = 0;
  for (const { json } of items) {
    const bytes = Buffer.byteLength(json);
    if (lists.length === 0 || bytes > room) {
      lists.push([]);
      room = MESSAGE_BYTES;
    }
    lists.at(-1)!.push(json);
    room -= bytes;
  }
  return lists;
}
