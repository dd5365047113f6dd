import type pg from 'pg';

type Statement =
  | { kind: 'query'; text: string; values: (string | null)[] }
  | { kind: 'copy'; text: string; chunks: Buffer[] };

// The pieces of a `pg` connection that a pipelined flush uses; the package's types leave them out.
type WireConnection = {
  stream: { cork(): void; uncork(): void };
  parse(q: { text: string; name: string; types: number[] }): void;
  bind(q: { values: (string | null)[]; statement: string }): void;
  execute(q: { portal: string; rows: number }): void;
  sync(): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};

/**
 * Statements that go to the server in one write and commit together.
 *
 * All messages travel before a single Sync, which PostgreSQL treats as one implicit transaction: an error anywhere
 * skips the rest and rolls everything back. COPY data may be sent before the server asks for it.
 */
export class Flush {
  readonly #statements: Statement[] = [];

  /** Adds a statement; its rows are ignored. Values travel as text. */
  query(text: string, values: (string | number | bigint | null)[] = []): void {
    this.#statements.push({ kind: 'query', text, values: values.map(v => (v === null ? null : String(v))) });
  }

  /** Adds a `copy … from stdin (format binary)` with its data. */
  copy(text: string, chunks: Buffer[]): void {
    this.#statements.push({ kind: 'copy', text, chunks });
  }

  get size(): number {
    return this.#statements.length;
  }

  /** Sends everything and resolves once it is committed; rejects with the first error after the rollback. */
  run(client: pg.Client): Promise<void> {
    return new Promise((resolve, reject) => {
      const statements = this.#statements;
      const submittable = {
        submit(connection: WireConnection) {
          connection.stream.cork();
          for (const statement of statements) {
            connection.parse({ text: statement.text, name: '', types: [] });
            connection.bind({ values: statement.kind === 'query' ? statement.values : [], statement: '' });
            connection.execute({ portal: '', rows: 0 });
            if (statement.kind === 'copy') {
              for (const chunk of statement.chunks) connection.sendCopyFromChunk(chunk);
              connection.endCopyFrom();
            }
          }
          connection.sync();
          connection.stream.uncork();
        },
        handleRowDescription() {},
        handleDataRow() {},
        handlePortalSuspended() {},
        handleEmptyQuery() {},
        handleCommandComplete() {},
        handleCopyInResponse() {},
        handleCopyData() {},
        // The server has rolled back by now; `pg` sends nothing more until it is ready again.
        handleError: reject,
        handleReadyForQuery: () => resolve(),
      };
      // `pg` takes any object with `submit` (its Submittable interface).
      client.query(submittable as unknown as pg.Submittable);
    });
  }
}
