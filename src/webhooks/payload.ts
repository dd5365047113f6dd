import type { Needs, Step } from '../stream/feed.ts';
import type { Batch, BodyFacts } from './batch.ts';

/** The name of a version of the body, as stored. */
export type PayloadVersion = '1' | 'chainhooks-2' | 'chainhook-1';

/** What one hook sends: which steps of the chain it finds something in, and the requests about them. */
export type Payload = {
  /** What is read of the chain. */
  needs: Needs;
  /** Transactions tell whether they touched it. */
  principal: string | undefined;
  /** The text of each step as a request holds it; undefined where it has nothing for the hook. */
  render(steps: readonly Step[]): Promise<readonly (string | undefined)[]>;
  bodyOf(batch: Batch, facts: BodyFacts): string;
  /** The body of a request that only tries whether the hook can be called. */
  testBodyOf(hook: string, at: Date): string;
  /** Headers of one attempt, by the secret as it was given. */
  headersOf(secret: string, id: string, body: string): Record<string, string>;
  /** False if it holds nothing of blocks. */
  sendsBlocks: boolean;
  /** Blocks that were sent are stored, so that a rollback can name them; a rollback then counts as no message of its own. */
  namesRemoved: boolean;
};

/** What a payload is made of. */
export type PayloadSource = { id: number; name: string; payload: PayloadVersion; selection: object };

/** Makes the payload of a hook; throws if its definition cannot be used. */
export type OpenPayload = (hook: PayloadSource) => Payload;
