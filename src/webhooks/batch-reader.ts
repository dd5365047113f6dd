import { type Position, readPosition } from '../chain/position.ts';
import { PublicError } from '../errors.ts';
import type { Changes, Feed, Step } from '../stream/feed.ts';
import { changed, type StepSource } from '../stream/reader.ts';
import { type Batch, type BatchLimits, type RenderedStep, takeBatch } from './batch.ts';
import type { Payload } from './payload.ts';

export type BatchReaderOptions = {
  feed: Feed;
  source: StepSource;
  payload: Pick<Payload, 'needs' | 'render'>;
  limits: BatchLimits;
  signal: AbortSignal;
  /** Nothing above this height is read, and forks are passed over: blocks that were delivered once are delivered again. */
  upToHeight?: number;
  /** Blocks above this height are passed over. */
  endHeight?: number | undefined;
};

/** What a request that may have arrived has left behind, as stored. */
export type Attempted = {
  /** The position of its last message. */
  until: string | undefined;
  /** The position of the last message of an earlier request, whose blocks a fork has removed since. */
  undo: string | undefined;
};

/** Reads the batches that follow a position, one ahead of the one that is being delivered. */
export class BatchReader {
  readonly #options: BatchReaderOptions;
  /** What was delivered, and blocks after it in which nothing was found. */
  #delivered: Position;
  /** The position after the steps that are read. */
  #read: Position;
  #steps: RenderedStep[] = [];
  /** The journal number up to which nothing is missing; undefined if there is more to read. */
  #upTo: number | undefined;
  #ahead: Promise<Changes> | undefined;
  #attempted: Attempted;
  /** The batch that is handed out has the rollback that undoes an earlier request. */
  #undo: string | undefined;
  #fresh = true;

  constructor(
    start: Position,
    options: BatchReaderOptions,
    attempted: Attempted = { until: undefined, undo: undefined },
  ) {
    this.#options = options;
    this.#delivered = start;
    this.#read = start;
    this.#attempted = attempted;
  }

  get position(): Position {
    return this.#delivered;
  }

  /** The journal number up to which nothing is missing. */
  get upTo(): number {
    return this.#upTo ?? -1;
  }

  /** What must be known of the batch before it is sent. */
  attemptOf(batch: Batch): Attempted {
    return { until: batch.until, undo: this.#undo };
  }

  /** The next batch; undefined if there is none now. */
  async next(): Promise<Batch | undefined> {
    const { source, payload, limits, signal, upToHeight, endHeight = upToHeight } = this.#options;
    for (;;) {
      const batch = takeBatch(this.#steps, limits, this.#attempted.until);
      if (batch) {
        if (this.#steps.length === 0) batch.position = this.#read;
        if (this.#steps.length === 0 && this.#upTo === undefined) this.#readAhead();
        return batch;
      }
      this.#delivered = this.#read;
      if (upToHeight !== undefined && isPast(this.#read, upToHeight)) return undefined;
      if (source.current === undefined) await changed(source, -1, signal);
      if (signal.aborted || (this.#upTo !== undefined && source.current!.seq <= this.#upTo)) return undefined;
      const first = this.#fresh ? await this.#owed() : undefined;
      const ahead = this.#ahead;
      this.#ahead = undefined;
      const changes = await (ahead ?? this.#readOn());
      this.#fresh = false;
      let steps = [...changes.steps];
      if (first && steps[0]?.kind !== 'rollback') steps.unshift(first);
      if (upToHeight !== undefined) steps = steps.filter(({ kind }) => kind === 'apply');
      if (endHeight !== undefined)
        steps = steps.filter(({ kind, position }) => kind !== 'apply' || position.height <= endHeight);
      const texts = await payload.render(steps);
      this.#steps = steps.map((step, i) => ({ step, text: texts[i] }));
      this.#read = changes.position;
      this.#upTo = changes.upTo;
    }
  }

  /** A batch was delivered. */
  commit(batch: Batch): void {
    this.#delivered = batch.position;
    this.#attempted = { until: undefined, undo: undefined };
    this.#undo = undefined;
  }

  /** A batch may have arrived or not: it is read again. */
  rewind(batch: Batch): void {
    this.#attempted = this.attemptOf(batch);
    this.#ahead = undefined;
    this.#steps = [];
    this.#read = this.#delivered;
    this.#upTo = undefined;
    this.#fresh = true;
  }

  #readOn(): Promise<Changes> {
    const { feed, payload, source } = this.#options;
    return feed.after(this.#read, payload.needs, source.current);
  }

  #readAhead(): void {
    this.#ahead = this.#readOn();
    // Whoever waits for it gets the error.
    this.#ahead.catch(() => {});
  }

  /**
   * The rollback to the position for a receiver that may have taken a request whose blocks a fork has removed since. It holds for
   * a receiver that has not taken it too: it has no blocks above the position.
   */
  async #owed(): Promise<Step | undefined> {
    const { feed } = this.#options;
    const { until, undo } = this.#attempted;
    const reached = readPosition(undo ?? until ?? '');
    if (!reached || reached.height <= this.#delivered.height) return undefined;
    const { removed, common } = await this.#removedSince(reached);
    if (undo === undefined && removed.length === 0 && common >= reached.height) return undefined;
    this.#undo = undo ?? until;
    const kept = await feed.hashesBetween(this.#delivered.height, common);
    return {
      kind: 'rollback',
      position: { ...this.#delivered, returned: true },
      from: { height: reached.height, index_hash: reached.indexHash },
      removed: [...removed, ...kept],
    };
  }

  /** The blocks up to a position that left the chain, and the height up to which it is still the chain. */
  async #removedSince(reached: Position): Promise<{ removed: readonly Buffer[]; common: number }> {
    const nothing = { transactions: false, events: false, mempool: false, sbtc: false };
    try {
      const { steps } = await this.#options.feed.after(reached, nothing, undefined);
      const [first] = steps;
      if (first?.kind !== 'rollback') return { removed: [], common: reached.height };
      return { removed: first.removed, common: first.position.height };
    } catch (error) {
      // The block is unknown here: it was lost with the newest blocks of the database.
      if (error instanceof PublicError) return { removed: [reached.indexHash], common: this.#delivered.height };
      throw error;
    }
  }
}

/** True if the block of this height was read whole. */
const isPast = ({ height, rest }: Position, limit: number) =>
  height > limit || (height === limit && rest === undefined);

/** The position of a stored text; throws for a text that this program has not written. */
export function storedPosition(text: string): Position {
  const position = readPosition(text);
  if (!position) throw new Error(`a hook has a position that cannot be read: ${text}`);
  return position;
}
