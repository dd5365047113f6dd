import { createHash } from 'node:crypto';
import { type Position, positionText } from '../chain/position.ts';
import type { Step } from '../stream/feed.ts';

/** A step, and its text in a request; undefined if the hook wants nothing of it. */
export type RenderedStep = { step: Step; text: string | undefined };

/** What one request delivers. */
export type Batch = {
  /** What is sent, in its order. */
  parts: readonly { step: Step; text: string }[];
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
  /** A rollback goes with what follows it, however many messages a batch may have. */
  freeRollbacks?: boolean;
};

/** The version of the body with messages of a stream. */
export const PAYLOAD = 1;

/**
 * Takes the next batch from the front of some steps; undefined if they have nothing for the hook. `until` is the position of the
 * message at which it ends: a request that may have arrived is repeated as it was.
 */
export function takeBatch(steps: RenderedStep[], limits: BatchLimits, until?: string): Batch | undefined {
  const parts: { step: Step; text: string }[] = [];
  const heights: number[] = [];
  let counted = 0;
  let bytes = 0;
  while (steps.length > 0 && counted < limits.messages && bytes < limits.bytes) {
    const { step, text } = steps[0]!;
    if (text !== undefined) {
      const size = Buffer.byteLength(text);
      if (parts.length > 0 && bytes + size > limits.bytes) break;
      parts.push({ step, text });
      bytes += size;
      if (step.kind === 'apply') heights.push(step.position.height);
      if (step.kind !== 'rollback' || !limits.freeRollbacks) counted++;
    }
    steps.shift();
    if (text !== undefined && positionText(step.position) === until) break;
  }
  const last = parts.at(-1)?.step;
  if (!last) return undefined;
  const found = heights.length > 0 ? { first: heights[0]!, last: heights.at(-1)! } : undefined;
  return { parts, position: last.position, until: positionText(last.position), heights: found };
}

/** The header `webhook-id`: the same whenever the same messages follow the same position, for the same purpose. */
export function idOf(purpose: string, from: Position, { parts }: Pick<Batch, 'parts'>): string {
  const hash = createHash('sha256').update(`${purpose}\n${positionText(from)}\n`);
  for (const { text } of parts) hash.update(text).update('\n');
  return `msg_${hash.digest('base64url').slice(0, 32)}`;
}

export type BodyFacts = { hook: string; at: Date; redelivery: boolean };

/** The body of a request: the envelope of Standard Webhooks around the messages of the stream. */
export function bodyOf({ parts, until }: Batch, { hook, at, redelivery }: BodyFacts): string {
  const facts = { hook, version: PAYLOAD, redelivery, position: until };
  const data = `${JSON.stringify(facts).slice(0, -1)},"messages":[${parts.map(({ text }) => text).join(',')}]}`;
  return `{"type":"cairn.batch","timestamp":${JSON.stringify(at.toISOString())},"data":${data}}`;
}

/** The body of a request that only tries whether the hook can be called. */
export const testBodyOf = (hook: string, at: Date): string =>
  JSON.stringify({ type: 'cairn.test', timestamp: at.toISOString(), data: { hook, version: PAYLOAD } });
