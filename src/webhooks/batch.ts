import { createHash } from 'node:crypto';
import { type Position, positionText } from '../chain/position.ts';
import type { Step } from '../stream/feed.ts';
import { messageOf, type View } from '../stream/view.ts';

/** What one request delivers. */
export type Batch = {
  /** Messages of the stream as JSON, in their order. */
  messages: readonly string[];
  /** What the receiver has when it has taken them. */
  position: Position;
  /** The position of the last message, as text. */
  until: string;
  /** Of the blocks in it. */
  heights: { first: number; last: number } | undefined;
};

export type BatchLimits = {
  messages: number;
  /** Beyond it a batch takes no further message; a single one may be larger. */
  bytes: number;
};

/** The version of the body that this program writes. */
export const PAYLOAD = 1;

/**
 * Takes the next batch from the front of some steps; undefined if they have nothing for the view. `until` is the position of the
 * message at which it ends: a request that may have arrived is repeated as it was.
 */
export function takeBatch(steps: Step[], view: View, limits: BatchLimits, until?: string): Batch | undefined {
  const messages: string[] = [];
  const heights: number[] = [];
  let last: Step | undefined;
  let bytes = 0;
  while (steps.length > 0 && messages.length < limits.messages && bytes < limits.bytes) {
    const step = steps[0]!;
    const message = messageOf(step, view);
    if (message !== undefined) {
      const size = Buffer.byteLength(message.json);
      if (messages.length > 0 && bytes + size > limits.bytes) break;
      messages.push(message.json);
      bytes += size;
      last = step;
      if (step.kind === 'apply') heights.push(step.position.height);
    }
    steps.shift();
    if (message !== undefined && positionText(step.position) === until) break;
  }
  if (!last) return undefined;
  const found = heights.length > 0 ? { first: heights[0]!, last: heights.at(-1)! } : undefined;
  return { messages, position: last.position, until: positionText(last.position), heights: found };
}

/** The header `webhook-id`: the same whenever the same messages follow the same position, for the same purpose. */
export function idOf(purpose: string, from: Position, { messages }: Pick<Batch, 'messages'>): string {
  const hash = createHash('sha256').update(`${purpose}\n${positionText(from)}\n`);
  for (const message of messages) hash.update(message).update('\n');
  return `msg_${hash.digest('base64url').slice(0, 32)}`;
}

export type BodyFacts = { hook: string; at: Date; redelivery: boolean };

/** The body of a request: the envelope of Standard Webhooks around the messages of the stream. */
export function bodyOf({ messages, until }: Batch, { hook, at, redelivery }: BodyFacts): string {
  const facts = { hook, version: PAYLOAD, redelivery, position: until };
  const data = `${JSON.stringify(facts).slice(0, -1)},"messages":[${messages.join(',')}]}`;
  return `{"type":"cairn.batch","timestamp":${JSON.stringify(at.toISOString())},"data":${data}}`;
}

/** The body of a request that only tries whether the hook can be called. */
export const testBodyOf = (hook: string, at: Date): string =>
  JSON.stringify({ type: 'cairn.test', timestamp: at.toISOString(), data: { hook, version: PAYLOAD } });
