import type { Parameter } from '../parameter.ts';
import type { Rows, Sent } from '../statement.ts';

export type QueryRows = Rows<object[]>;

/** A statement on its way: what is sent, until when an answer is of use, and who waits for it. */
export class Request implements Sent {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  /** Text without values, which may be several statements. */
  readonly simple: boolean;
  /** After this nobody waits any more; infinite where there is no limit. */
  readonly deadline: number;
  readonly timeoutMs: number;
  /** Part of a transaction: it belongs to one connection. */
  readonly inTransaction: boolean;
  /** False: parsed anew wherever it goes, since a prepared one was no longer what it had been. */
  prepared = true;
  /** When it lost its connection: whatever took that may have taken the older ones, too. */
  lostAt = Number.NEGATIVE_INFINITY;
  /** How often it was sent. */
  attempts = 0;
  settled = false;
  /** Nobody waits for it any more. */
  abandoned = false;
  /** What the server says it has done. */
  command: string | null = null;
  /** How to give it up where it is now. */
  onCancel: (() => void) | undefined;
  readonly #result: Promise<QueryRows>;
  #resolve!: (rows: QueryRows) => void;
  #reject!: (error: unknown) => void;

  constructor(
    text: string,
    parameters: readonly Parameter[],
    options: { simple: boolean; timeoutMs: number; inTransaction?: boolean },
  ) {
    const { simple, timeoutMs, inTransaction = false } = options;
    this.inTransaction = inTransaction;
    this.text = text;
    this.parameters = parameters;
    this.simple = simple;
    this.timeoutMs = timeoutMs;
    this.deadline = performance.now() + timeoutMs;
    this.#result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  resolve(rows: object[], count: number, command: string | null): void {
    this.settled = true;
    this.command = command;
    // Not one of the entries, as `length` is not.
    this.#resolve(Object.defineProperty(rows, 'count', { value: count }) as QueryRows);
  }

  reject(error: unknown): void {
    this.settled = true;
    this.#reject(error);
  }

  // biome-ignore lint/suspicious/noThenProperty: whoever sends a statement waits for its rows
  then<A = never, B = never>(
    resolved?: ((rows: never) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.#result as Promise<never>).then(resolved, rejected);
  }

  cancel(): void {
    if (this.settled) return;
    this.abandoned = true;
    this.onCancel?.();
  }
}
