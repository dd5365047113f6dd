import { randomUUID } from 'node:crypto';
import { type Position, positionText, readPosition } from '../chain/position.ts';
import type { Pool } from '../db/client.ts';
import { messageOf } from '../errors.ts';
import { Pause, waitFor } from '../pause.ts';
import { Feed } from '../stream/feed.ts';
import { changed, type StepSource } from '../stream/reader.ts';
import type { StreamTopic } from '../stream/topics.ts';
import type { Broker, BrokerOpener } from './broker.ts';
import { Journal, type Portion } from './journal.ts';
import { releaseStream, renewStream, takeStream } from './lease-queries.ts';
import type { Message } from './messages.ts';
import { Forgotten, Trouble, type TroubleKind } from './trouble.ts';

export type PublisherLog = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
};

export type PublisherOptions = {
  /** Connections for writes, to the primary. */
  sql: Pool;
  /** Connections for reads of the chain, to the primary. */
  reads: Pool;
  source: StepSource;
  open: BrokerOpener;
  /** Name of the stream. */
  stream: string;
  topics: readonly StreamTopic[];
  /** Where a new stream begins; undefined for now. */
  fromHeight: number | undefined;
  log: PublisherLog;
  onMessages?: (count: number) => void;
  onTrouble?: (kind: TroubleKind) => void;
  onConnected?: (connected: boolean) => void;
  /** Milliseconds between two looks whether the stream is free. */
  pollMs?: number;
  /** Milliseconds after which the stream of a process that is gone is taken over. */
  leaseMs?: number;
  /** Milliseconds until the first attempt after a failure; each further one waits twice as long. */
  retryMs?: number;
};

const POLL_MS = 1_000;
const LEASE_MS = 10_000;
const RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;
/** Messages and bytes on the way to the broker. */
const MAX_ON_THE_WAY = 256;
const MAX_BYTES_ON_THE_WAY = 4_000_000;
/** A message of another process may have been on the way: only later conflicts are a trouble. */
const TOLERATED_CONFLICTS = 2;

/**
 * Publishes the journal to the stream of a broker, in its order, from the last message of the stream on. Of many processes one
 * has the lease; the broker refuses each message that does not follow the last one, whoever sends it.
 */
export class Publisher {
  readonly #options: Required<PublisherOptions>;
  readonly #lease = randomUUID();
  readonly #journal: Journal;
  readonly #pause = new Pause();
  /** Ends the work on the stream that this process holds. */
  #holding = new AbortController();
  #position: Position | undefined;
  /** Messages that are not counted in the database yet. */
  #uncounted = 0;
  #trouble: TroubleKind | undefined;
  #conflicts = 0;
  /** Makes ids of messages new that the broker has forgotten. */
  #salt = '';
  #gap = false;
  #loop: Promise<void> | undefined;

  constructor(options: PublisherOptions) {
    const { reads, topics, fromHeight } = options;
    this.#options = {
      ...{ onMessages: () => {}, onTrouble: () => {}, onConnected: () => {} },
      ...{ pollMs: POLL_MS, leaseMs: LEASE_MS, retryMs: RETRY_MS },
      ...options,
    };
    const onGap = () => this.#noteGap();
    this.#journal = new Journal({ feed: new Feed(reads), topics: new Set(topics), fromHeight, onGap });
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#pause.end();
    this.#holding.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { sql, stream, pollMs, leaseMs } = this.#options;
    while (!this.#pause.over) {
      try {
        const began = performance.now();
        const held = await takeStream(sql, { stream, lease: this.#lease, leaseMs });
        if (held) await this.#hold(held.position, began + leaseMs);
      } catch (error) {
        this.#note(asDatabaseTrouble(error));
      }
      await this.#pause.for(pollMs);
    }
  }

  /** Publishes until the service stops or the lease is lost. */
  async #hold(stored: string | null, leaseEnd: number): Promise<void> {
    const { sql, stream } = this.#options;
    const holding = new AbortController();
    this.#holding = holding;
    if (this.#pause.over) holding.abort();
    // Another process may have published since this one last did.
    this.#position = readPosition(stored ?? '');
    const kept = this.#keep(holding, leaseEnd);
    for (let failures = 0; !holding.signal.aborted; ) {
      const published = await this.#publish(holding.signal);
      failures = published ? 1 : failures + 1;
      const delay = Math.min(this.#options.retryMs * 2 ** (failures - 1), LONGEST_RETRY_MS);
      await waitFor(delay * (0.75 + Math.random() / 2), holding.signal);
    }
    await kept;
    await this.#store();
    await releaseStream(sql, { stream, lease: this.#lease });
  }

  /** Extends the lease, and stores how far the publisher is. */
  async #keep(holding: AbortController, end: number): Promise<void> {
    const { leaseMs, log, stream } = this.#options;
    let failing = false;
    for (let leaseEnd = end; !holding.signal.aborted; ) {
      await waitFor(leaseMs / 4, holding.signal);
      const began = performance.now();
      try {
        if (!(await this.#store())) holding.abort();
        leaseEnd = began + leaseMs;
        failing = false;
      } catch (error) {
        if (!failing) log.warn({ stream, err: error }, 'how far the publisher is cannot be stored; trying again');
        failing = true;
        if (performance.now() > leaseEnd - leaseMs / 4) holding.abort();
      }
    }
  }

  async #store(): Promise<boolean> {
    const { sql, stream, leaseMs } = this.#options;
    const messages = this.#uncounted;
    const held = await renewStream(
      sql,
      { stream, lease: this.#lease, leaseMs },
      {
        position: this.#position && positionText(this.#position),
        height: this.#position?.height ?? -1,
        messages,
        trouble: this.#trouble,
      },
    );
    if (held) this.#uncounted -= messages;
    return held;
  }

  /** Publishes over one connection until it fails, or the signal aborts; says whether it had begun. */
  async #publish(signal: AbortSignal): Promise<boolean> {
    const { open, onConnected } = this.#options;
    let broker: Broker | undefined;
    let begun = false;
    const life = new AbortController();
    const end = () => life.abort();
    // What is on the way is not waited for: the stream itself will say how far it got.
    const leave = () => void this.#close(broker);
    signal.addEventListener('abort', leave, { once: true });
    try {
      broker = await open();
      onConnected(true);
      void broker.closed.then(end, end);
      if (signal.aborted) leave();
      const place = await broker.place();
      let { sequence } = place;
      const send = async ({ messages, position, upTo }: Portion) => {
        for (const group of groupsOf(messages)) {
          await this.#send(broker!, group, sequence);
          sequence += group.length;
        }
        this.#position = position;
        // Where nothing was sent, the broker may still refuse what comes.
        if (messages.length === 0 && upTo === undefined) return;
        begun = true;
        this.#recover();
      };
      let portion = await this.#journal.resume(place, this.#position);
      await send(portion);
      while (!life.signal.aborted) {
        portion = await this.#journal.after(portion.position);
        await send(portion);
        if (portion.upTo !== undefined) await changed(this.#options.source, portion.upTo, life.signal);
      }
      if (!signal.aborted) throw new Trouble('unreachable', 'the connection has ended');
    } catch (error) {
      if (!signal.aborted) this.#suffer(error);
    } finally {
      signal.removeEventListener('abort', leave);
      onConnected(false);
      await this.#close(broker);
    }
    return begun;
  }

  async #close(broker: Broker | undefined): Promise<void> {
    const { log } = this.#options;
    await broker?.close().catch(error => log.info({ err: error }, 'closing the connection to the broker'));
  }

  /** Stores messages one after the other; the broker takes none after one that it has refused. */
  async #send(broker: Broker, messages: readonly Message[], sequence: number): Promise<void> {
    const results = await Promise.allSettled(
      messages.map((message, index) =>
        broker.publish({ ...message, id: `${message.id}${this.#salt}` }, sequence + index),
      ),
    );
    const failed = results.findIndex(({ status }) => status === 'rejected');
    const stored = failed < 0 ? messages.length : failed;
    this.#uncounted += stored;
    this.#options.onMessages(stored);
    const whole = messages.slice(0, stored).findLast(({ part, parts }) => part === parts);
    if (whole) this.#position = whole.position;
    const result = results[failed];
    if (result?.status !== 'rejected') return;
    if (result.reason instanceof Forgotten) this.#salt = `.${sequence + failed}`;
    throw result.reason;
  }

  #suffer(error: unknown): void {
    // The next attempt sends the message under another id.
    if (error instanceof Forgotten) return;
    const trouble = error instanceof Trouble ? error : asDatabaseTrouble(error);
    if (trouble.kind === 'other_writer' && ++this.#conflicts <= TOLERATED_CONFLICTS) return;
    this.#note(trouble);
  }

  #note(trouble: Trouble): void {
    const { log, stream, onTrouble } = this.#options;
    onTrouble(trouble.kind);
    if (this.#trouble !== trouble.kind) {
      const details = { stream, reason: trouble.message, ...(trouble.kind === 'database' && { err: trouble.cause }) };
      log.warn(details, 'nothing is published to the broker; trying again');
    }
    this.#trouble = trouble.kind;
  }

  #recover(): void {
    const { log, stream } = this.#options;
    if (this.#trouble !== undefined) log.info({ stream }, 'publishing to the broker again');
    this.#trouble = undefined;
    this.#conflicts = 0;
    this.#gap = false;
  }

  #noteGap(): void {
    const { log, stream } = this.#options;
    if (!this.#gap) log.warn({ stream }, 'steps of the mempool are no longer stored: they are not published');
    this.#gap = true;
  }
}

/** Messages that may be on the way together. */
function groupsOf(messages: readonly Message[]): Message[][] {
  const groups: Message[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const group = groups.at(-1);
    bytes += message.body.length;
    if (group && group.length < MAX_ON_THE_WAY && bytes <= MAX_BYTES_ON_THE_WAY) group.push(message);
    else {
      groups.push([message]);
      bytes = message.body.length;
    }
  }
  return groups;
}

const asDatabaseTrouble = (error: unknown) =>
  new Trouble('database', `the database cannot be used: ${messageOf(error)}`, { cause: error });
