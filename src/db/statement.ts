import { StatementCancelled } from './database-error.ts';
import type { ResponseReads } from './response-reads.ts';

/** An interpolated part of a statement: a value for the server, or a fragment of SQL. */
export type StatementPart =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly string[]
  | readonly number[]
  | Statement<unknown>;

/** The rows of a result, and the number of rows read or written. */
export type Rows<T> = T & { count: number };

// biome-ignore lint/suspicious/noExplicitAny: promises know no type of what they are rejected with
type Rejected<B> = ((reason: any) => B | PromiseLike<B>) | null;

/** A statement that was sent to the server. */
export type Sent = PromiseLike<never> & { readonly settled: boolean; cancel(): void };

/** Sends a statement to the server; a simple one has no values and may contain several statements. */
export type Send = (
  text: string,
  values: readonly StatementPart[],
  simple: boolean,
  reads?: ResponseReads | undefined,
) => Sent;

/**
 * A fragment of SQL. Inside another fragment it is a part of it; if awaited, it is sent.
 *
 * A part is not a promise, because it would never be resolved: a page of an account has thirty parts, and unresolved promises
 * would survive many garbage collections of young objects.
 */
export class Statement<T> implements Promise<Rows<T>> {
  readonly [Symbol.toStringTag] = 'Statement';
  readonly #strings: readonly string[];
  readonly #parts: readonly StatementPart[];
  readonly #send: Send;
  readonly #simple: boolean;
  readonly #reads: ResponseReads | undefined;
  #sent: Sent | undefined;

  constructor(
    strings: readonly string[],
    parts: readonly StatementPart[],
    send: Send,
    simple = false,
    reads?: ResponseReads,
  ) {
    this.#strings = strings;
    this.#parts = parts;
    this.#send = send;
    this.#simple = simple;
    this.#reads = reads;
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is sent when somebody waits for it
  then<A = Rows<T>, B = never>(
    resolved?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
    rejected?: Rejected<B>,
  ): Promise<A | B> {
    return (this.#query() as unknown as Promise<Rows<T>>).then(resolved, rejected);
  }

  catch<B = never>(rejected?: Rejected<B>): Promise<Rows<T> | B> {
    return this.then(undefined, rejected);
  }

  finally(settled?: (() => void) | null): Promise<Rows<T>> {
    return this.then().finally(settled);
  }

  /** Cancels the statement on the server, if no other statement can be affected. */
  cancel(): void {
    this.#sent?.cancel();
  }

  #query(): Sent {
    if (this.#sent !== undefined) return this.#sent;
    const reads = this.#reads;
    if (reads?.cancellation.cancelled) {
      this.#sent = Object.assign(Promise.reject(new StatementCancelled()), { settled: true, cancel: () => {} });
      return this.#sent;
    }
    const values: StatementPart[] = [];
    const text = this.#write('', values);
    this.#sent = this.#send(text, values, this.#simple, reads);
    if (reads) {
      reads.sent++;
      reads.cancellation.add(this.#sent);
    }
    return this.#sent;
  }

  /** The complete text, with a numbered placeholder for each value. */
  #write(before: string, values: StatementPart[]): string {
    let text = before + this.#strings[0]!;
    for (let i = 0; i < this.#parts.length; i++) {
      const part = this.#parts[i]!;
      if (part instanceof Statement) text = part.#write(text, values);
      else text += place(values.push(part), part);
      text += this.#strings[i + 1]!;
    }
    return text;
  }
}

/** The placeholder of a value. With a known type the server need not infer it from the context. */
function place(number: number, value: StatementPart): string {
  if (typeof value === 'bigint') return `$${number}::int8`;
  if (value instanceof Uint8Array) return `$${number}::bytea`;
  return typeof value === 'boolean' ? `$${number}::bool` : `$${number}`;
}
