import type { SignerRecords } from '../../chain/signer-record.ts';
import { encodeSignerRecords } from '../../node/signer-records.ts';
import type { NewEvent } from '../log/event-log.ts';
import { signerMessagesPath } from '../signers/signer-event.ts';

/** How long records wait for others; a crash loses at most those of this time. */
const WAIT_MS = 100;
/** Records that may wait; beyond it, a post waits until they are stored. */
const MAX_WAITING = 5_000;

type Waiting = { at: Date; source: string; count: number; records: SignerRecords };

/**
 * Gathers records of signers for a moment, so that the many messages about one block share an event of the log and a
 * transaction of the fold, and a node does not wait for a commit after each. Every record has its own time of arrival.
 */
export class SignerBuffer {
  readonly #log: { append(event: NewEvent): Promise<bigint> };
  readonly #onFailure: (error: unknown) => void;
  #waiting: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;
  #appending: Promise<void> = Promise.resolve();

  constructor(log: { append(event: NewEvent): Promise<bigint> }, onFailure: (error: unknown) => void) {
    this.#log = log;
    this.#onFailure = onFailure;
  }

  /** Resolves when the records wait; where too many wait already, these are stored first, or it rejects. */
  async add({ proposals, responses, pushes }: SignerRecords, at: Date, source: string): Promise<void> {
    if ((this.#waiting?.count ?? 0) >= MAX_WAITING) await this.#append();
    const received = at.getTime();
    this.#waiting ??= { at, source, count: 0, records: { proposals: [], responses: [], pushes: [] } };
    const waiting = this.#waiting;
    for (const proposal of proposals) waiting.records.proposals.push({ ...proposal, received });
    for (const response of responses) waiting.records.responses.push({ ...response, received });
    for (const push of pushes) waiting.records.pushes.push({ ...push, received });
    waiting.count += proposals.length + responses.length + pushes.length;
    this.#schedule();
  }

  /** Stores what waits. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#appending;
    await this.#append().catch(this.#onFailure);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#appending = this.#append().catch(error => {
        this.#onFailure(error);
        this.#schedule();
      });
    }, WAIT_MS);
  }

  async #append(): Promise<void> {
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = undefined;
    const { at, source, records } = waiting;
    try {
      const body = Buffer.from(encodeSignerRecords(records));
      await this.#log.append({ path: signerMessagesPath, source, at, body });
    } catch (error) {
      this.#putBack(waiting);
      throw error;
    }
  }

  /** Records that could not be stored are tried again with later ones. */
  #putBack(waiting: Waiting): void {
    const later = this.#waiting;
    this.#waiting = waiting;
    if (!later) return;
    waiting.count += later.count;
    waiting.records.proposals.push(...later.records.proposals);
    waiting.records.responses.push(...later.records.responses);
    waiting.records.pushes.push(...later.records.pushes);
  }
}
