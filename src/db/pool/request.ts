import type { Parameter } from '../parameter.ts';
import type { ResponseReads } from '../response-reads.ts';
import type { Rows, Sent } from '../statement.ts';
import type { StatementOwner } from './cancellation.ts';

export type QueryRows = Rows<object[]>;

/** Called when a statement has its result or has failed. */
export type StatementObserver = (statement: Request, failed: boolean) => void;

export type RequestOptions = {
  simple: boolean;
  timeoutMs: number;
  inTransaction?: boolean;
  /** Those of the response for which it runs. */
  reads?: ResponseReads | undefined;
  observer?: StatementObserver | undefined;
};

/** A statement in progress: its text, its deadline, and the promise of its rows. */
export class Request implements Sent {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  /** Text without values, which may be several statements. */
  readonly simple: boolean;
  readonly #reads: ResponseReads | undefined;
  readonly startedAt = performance.now();
  readonly #observer: StatementObserver | undefined;
  /** Deadline; infinite without a limit. */
  readonly deadline: number;
  readonly timeoutMs: number;
  /** True for a part of a transaction, which belongs to one connection. */
  readonly inTransaction: boolean;
  /** False: it is parsed for each execution, because a prepared one had become invalid. */
  prepared = true;
  /** Time at which it lost its connection; older connections may be lost too. */
  lostAt = Number.NEGATIVE_INFINITY;
  /** Number of times it was sent. */
  attempts = 0;
  settled = false;
  /** True if its result is not needed any more. */
  abandoned = false;
  /** The command tag of the server. */
  command: string | null = null;
  /** Cancels it on its present connection. */
  onCancel: (() => void) | undefined;
  /** Its repetition on another connection, see `repeat`. */
  #copy: Request | undefined;
  readonly #result: Promise<QueryRows>;
  #resolve!: (rows: QueryRows) => void;
  #reject!: (error: unknown) => void;

  constructor(
    text: string,
    parameters: readonly Parameter[],
    { simple, timeoutMs, inTransaction = false, reads, observer }: RequestOptions,
  ) {
    this.#reads = reads;
    this.#observer = observer;
    this.inTransaction = inTransaction;
    this.text = text;
    this.parameters = parameters;
    this.simple = simple;
    this.timeoutMs = timeoutMs;
    this.deadline = this.startedAt + timeoutMs;
    this.#result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The request for which it runs, if that is known. */
  get owner(): StatementOwner | undefined {
    return this.#reads?.cancellation.owner;
  }

  resolve(rows: object[], count: number, command: string | null): void {
    this.#settle(false, rows);
    this.command = command;
    // Not one of the entries, as `length` is not.
    this.#resolve(Object.defineProperty(rows, 'count', { value: count }) as QueryRows);
  }

  reject(error: unknown): void {
    this.#settle(true);
    this.#reject(error);
  }

  #settle(failed: boolean, rows: readonly object[] = []): void {
    if (!this.settled) {
      this.#observer?.(this, failed);
      this.#reads?.note(rows);
    }
    this.settled = true;
  }

  get repeated(): boolean {
    return this.#copy !== undefined;
  }

  /** Repeats the statement for another connection; the result that arrives first counts. */
  repeat(): Request {
    const timeoutMs = Math.max(0, this.deadline - performance.now());
    const copy = new Request(this.text, this.parameters, { simple: this.simple, timeoutMs });
    this.#copy = copy;
    const resolve = (rows: QueryRows) => {
      this.#settle(false, rows);
      this.command = copy.command;
      this.#resolve(rows);
    };
    // An error of the copy is not reported: this statement still waits for its own result.
    copy.#result.then(resolve, () => {});
    return copy;
  }

  // biome-ignore lint/suspicious/noThenProperty: a caller awaits the rows of a statement
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
    this.#copy?.cancel();
  }
}
