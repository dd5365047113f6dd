/** Something that can be cancelled. */
type Cancellable = { cancel(): void };

/** The request for which a statement runs. */
export type StatementOwner = { readonly id: string };

/** The statements of one request, which are cancelled together when its client has disconnected. */
export class Cancellation {
  readonly #statements: Cancellable[] = [];
  /** Reported with slow statements. */
  owner: StatementOwner | undefined;
  #cancelled = false;

  /** Cancels all statements; later ones fail at once. */
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
 * Runs work whose statements belong to a cancellation: those created before its first await, and the transactions and scoped
 * connections that it takes until then. An AsyncLocalStorage would include later ones too, but makes each promise of the
 * process about three times as expensive on Node 20.
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

/** The cancellation of the work that is being started. */
export const currentCancellation = (): Cancellation | undefined => current;
