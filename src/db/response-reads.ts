import type { Cancellation } from './pool/cancellation.ts';

/** The column in which a statement names the state that it read; all rows of a statement have the same. */
export const STATE_COLUMN = 'read_state';

/** The statements of one attempt to respond: they are cancelled together, and may name the state of the database that they read. */
export class ResponseReads {
  readonly cancellation: Cancellation;
  /** Statements that were sent. */
  sent = 0;
  /** Those of them that named their state. */
  named = 0;
  /** The states that they named, each once. */
  readonly states: string[] = [];

  constructor(cancellation: Cancellation) {
    this.cancellation = cancellation;
  }

  /** A statement has its rows. */
  note(rows: readonly object[]): void {
    const state = (rows[0] as { [STATE_COLUMN]?: unknown } | undefined)?.[STATE_COLUMN];
    if (typeof state !== 'string') return;
    this.named++;
    if (this.states.at(-1) !== state) this.states.push(state);
  }
}
