/** Something that can be cancelled. */
type Cancellable = { readonly settled: boolean; cancel(): void };

/** The request for which a statement runs. */
export type StatementOwner = { readonly id: string };

/** Statements that are kept before the settled ones are dropped. */
const FIRST_SWEEP = 32;

/** The statements of one request, which are cancelled together when its client has disconnected. */
export class Cancellation {
  #statements: Cancellable[] = [];
  #dropAt = FIRST_SWEEP;
  /** Reported with slow statements. */
  owner: StatementOwner | undefined;
  #cancelled = false;

  constructor(owner?: StatementOwner) {
    this.owner = owner;
  }

  /** Cancels all statements; later ones fail at once. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  add(statement: Cancellable): void {
    this.#statements.push(statement);
    if (this.#statements.length < this.#dropAt) return;
    // A response that is streamed has thousands of statements, whose rows must not be kept.
    this.#statements = this.#statements.filter(({ settled }) => !settled);
    this.#dropAt = Math.max(FIRST_SWEEP, 2 * this.#statements.length);
  }

  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    for (const statement of this.#statements) statement.cancel();
  }
}
