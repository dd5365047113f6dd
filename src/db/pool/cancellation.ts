/** What can be given up. */
type Cancellable = { cancel(): void };

/** The statements of one request, which are given up together when nobody waits for its answer any more. */
export class Cancellation {
  readonly #statements: Cancellable[] = [];
  #cancelled = false;

  /** Statements that are sent from now on fail at once. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  add(statement: Cancellable): void {
    this.#statements.push(statement);
  }

  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    for (const statement of this.#statements) statement.cancel();
  }
}

let current: Cancellation | undefined;

/**
 * Begins work whose statements belong to a cancellation: those that are written before it first waits, and the transactions
 * and scoped connections that it takes by then. An AsyncLocalStorage would reach the later ones, too, but makes each promise
 * of the process about three times as dear on Node 20.
 */
export function beginCancellable<T>(cancellation: Cancellation, work: () => T): T {
  const before = current;
  current = cancellation;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** The cancellation of the work that is being begun. */
export const currentCancellation = (): Cancellation | undefined => current;
