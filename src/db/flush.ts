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

/** Statements the server has parsed already, by connection: a block sends the same few again and again. */
const prepared = new WeakMap<pg.Client, Map<string, string>>();

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

  /**
   * Sends everything and resolves once it is committed; rejects with the first error after the rollback. A connection whose
   * flush failed must be closed: it may lack statements that later flushes count on.
   */
  run(client: pg.Client): Promise<void> {
    return new Promise((resolve, reject) => {
      const statements = this.#statements;
      const names = prepared.get(client) ?? new Map<string, string>();
      prepared.set(client, names);
      const submittable = {
        submit(connection: WireConnection) {
          connection.stream.cork();
          for (const statement of statements) {
            let name = names.get(statement.text);
            if (name === undefined) {
              name = `f${names.size}`;
              names.set(statement.text, name);
              connection.parse({ text: statement.text, name, types: [] });
            }
            connection.bind({ values: statement.kind === 'query' ? statement.values : [], statement: name });
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
