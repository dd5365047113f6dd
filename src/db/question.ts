import type postgres from 'postgres';
import type { Sent, StatementPart } from './statement.ts';

/** What a statement of the driver tells: how it gets to a connection, and how it is given up. */
type Ways = { handler(question: Question): void; canceller(question: Question): void };

/** What is prepared once comes again and again. */
export const prepared = { prepare: true, simple: false };

/**
 * A statement on its way, with all that the driver's connections look for in one.
 *
 * The driver's own kind is a promise that resolves itself by closures of its constructor. By what the collector makes of
 * these, it outlives its use by many collections of short-lived objects, with its text and its rows: each collection then
 * takes three to ten times as long.
 */
class Question implements Sent {
  readonly tagged = false;
  readonly origin = '';
  readonly strings: readonly [string];
  readonly args: readonly StatementPart[];
  readonly options = prepared;
  readonly #canceller: Ways['canceller'];
  readonly #answer: Promise<never>;
  #resolve!: (rows: never) => void;
  #reject!: (error: unknown) => void;
  // Written by the connection.
  active = false;
  cancelled: unknown = null;
  state: unknown = null;
  statement: unknown = null;
  signature = '';
  string = '';
  prepare = true;
  prepared = false;
  parsing = false;
  describeFirst: unknown = false;
  parameters: unknown;
  retried: unknown;

  constructor(text: string, values: readonly StatementPart[], canceller: Ways['canceller']) {
    this.strings = [text];
    this.args = values;
    this.#canceller = canceller;
    this.#answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  resolve(rows: never): void {
    this.active = false;
    this.#resolve(rows);
  }

  reject(error: unknown): void {
    this.active = false;
    this.#reject(error);
  }

  // biome-ignore lint/suspicious/noThenProperty: whoever sends a statement waits for its rows
  then<A = never, B = never>(
    resolved?: ((rows: never) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(resolved, rejected);
  }

  cancel(): void {
    this.#canceller(this);
  }
}

/** Sends statements to the connections of a driver, outside of transactions. */
export function asking(driver: Pick<postgres.Sql, 'unsafe'>) {
  // A statement that nobody waits for is never sent, but knows the ways.
  const { handler, canceller } = driver.unsafe('') as unknown as Ways;
  return (text: string, values: readonly StatementPart[]): Sent => {
    const question = new Question(text, values, canceller);
    handler(question);
    return question;
  };
}
