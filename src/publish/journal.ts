import { type Position, readPosition } from '../chain/position.ts';
import { PublicError } from '../errors.ts';
import type { Changes, Feed, Needs, Step } from '../stream/feed.ts';
import type { StreamTopic } from '../stream/topics.ts';
import { needsOf } from '../stream/view.ts';
import type { LastMessage, Place } from './broker.ts';
import { type Message, messagesOf } from './messages.ts';
import { Trouble } from './trouble.ts';

export type JournalOptions = {
  feed: Feed;
  topics: ReadonlySet<StreamTopic>;
  /** Where a stream begins that has never had a message; undefined for now. */
  fromHeight: number | undefined;
  /** Called when steps of the mempool are left out, because they are no longer stored. */
  onGap: () => void;
};

/** Messages to publish, and the position after them. */
export type Portion = {
  messages: Message[];
  position: Position;
  /** The journal number up to which nothing is missing; undefined if more is there already. */
  upTo: number | undefined;
};

/** Says what follows the end of a stream. */
export class Journal {
  readonly #options: JournalOptions;
  readonly #needs: Needs;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#needs = needsOf(options.topics);
  }

  /** What is missing of the step at which the stream ends, and the position after it. `known` is the last position of this service. */
  async resume(place: Place, known: Position | undefined): Promise<Portion> {
    const { sequence, last } = place;
    if (last) return await this.#rest(last);
    const { feed, fromHeight } = this.#options;
    // A stream that was emptied goes on; a new one begins where the settings say.
    if (known && (sequence > 0 || fromHeight === undefined)) return behind(known);
    return behind(fromHeight === undefined ? await feed.tip() : await asked(() => feed.before(fromHeight)));
  }

  /** What follows a position. */
  async after(position: Position): Promise<Portion> {
    const { topics } = this.#options;
    const { steps, ...changes } = uncut(position, await this.#read(position, this.#needs));
    let after = position;
    const messages = steps.flatMap(step => {
      const before = after;
      after = step.position;
      return messagesOf(step, before, topics);
    });
    return { messages, ...changes };
  }

  async #read(position: Position, needs: Needs): Promise<Changes> {
    const { feed, onGap } = this.#options;
    try {
      return await feed.after(position, needs, undefined);
    } catch (error) {
      if (!(error instanceof PublicError) || error.status !== 410) throw asTrouble(error);
      onGap();
      const { seq, check } = await feed.tip();
      return await asked(() => feed.after({ ...position, seq, check, pending: 0 }, needs, undefined));
    }
  }

  /** The messages of the last step that did not get into the stream before its publisher ended. */
  async #rest(last: LastMessage): Promise<Portion> {
    const position = stored(last.position);
    const after = stored(last.after);
    if (last.part >= last.parts) return behind(position);
    // What the mempool has of these transactions may differ by now: all are sent once more.
    if (isSame(position, after)) return behind(after);
    const { feed, topics } = this.#options;
    const again = await this.#read(after, { ...this.#needs, mempool: false });
    const step = uncut(after, again).steps[0];
    const messages = step && isSame(step.position, position) ? messagesOf({ ...step, position }, after, topics) : [];
    if (messages.length === last.parts) return { messages: messages.slice(last.part), position, upTo: undefined };
    // A fork has removed the block: the rollback that follows undoes its part too.
    const [next] = (await this.#read(position, { ...this.#needs, mempool: false })).steps;
    if (next?.kind === 'rollback') return behind(position);
    // The settings or the program have changed in the middle of a block: it begins again.
    const { height, indexHash } = await asked(() => feed.before(position.height));
    const begin: Position = { ...position, height, indexHash, rest: undefined, returned: true };
    const undo: Step = {
      kind: 'rollback',
      position: begin,
      from: { height: position.height, index_hash: position.indexHash },
      removed: [position.indexHash],
    };
    return { messages: messagesOf(undo, position, topics), position: begin, upTo: undefined };
  }
}

const behind = (position: Position): Portion => ({ messages: [], position, upTo: undefined });

/**
 * Leaves out a last block that is not whole, unless it is the first: so each step is what follows the position before it, however
 * much was read at once.
 */
function uncut(start: Position, { steps, position, upTo }: Changes): Changes {
  const first = steps.findIndex(({ kind }) => kind === 'apply');
  const last = steps.at(-1);
  if (last?.kind !== 'apply' || last.position.rest === undefined || steps.length - 1 === first)
    return { steps, position, upTo };
  const kept = steps.slice(0, -1);
  return { steps: kept, position: kept.at(-1)?.position ?? start, upTo: undefined };
}

/** Whether two positions have the same part of the chain; their steps of the mempool may differ. */
const isSame = (a: Position, b: Position) =>
  a.height === b.height &&
  a.indexHash.equals(b.indexHash) &&
  a.rest?.place === b.rest?.place &&
  a.rest?.event === b.rest?.event;

function stored(text: string): Position {
  const position = readPosition(text);
  if (!position) throw new Trouble('other_writer', 'the last message of the stream has a position that cannot be read');
  return position;
}

/** What a reader of the streams is told, in words for the operator of a publisher. */
function asTrouble(error: unknown): unknown {
  if (!(error instanceof PublicError)) return error;
  if (error.status === 409)
    return new Trouble('other_chain', 'the stream ends at a block that is unknown here: it is of another chain', {
      cause: error,
    });
  return new Trouble('behind', 'the database has not reached the end of the stream, or CAIRN_PUBLISH_FROM', {
    cause: error,
  });
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asTrouble(error);
  }
}
