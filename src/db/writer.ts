import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { readAddress } from './address.ts';
import { ConnectionLost } from './database-error.ts';
import type { Flush, FlushStatement } from './flush.ts';
import type { Parameter } from './parameter.ts';
import { ARRIVAL_MS, isBackendBusy } from './pool/backend.ts';
import { type ConnectionOptions, connectClient, type OpenClient, openClient } from './pool/open-client.ts';
import { locateHost } from './pool/primary-search.ts';

/** Milliseconds after which the server is checked during a batch; it may be gone. */
const SILENT_MS = 30_000;
const CONNECT_MS = 5_000;
const END_MS = 1000;

/** The connection that writes the tables: batches, each one transaction. */
export class Writer {
  readonly #options: ConnectionOptions;
  readonly #opened: OpenClient;
  readonly #names = new Map<string, string>();
  #processId = 0;
  /** Counts completed statements, parts of batches and whole batches. */
  #completed = 0;
  #lost: Error | undefined;
  #onLost: ((error: Error) => void) | undefined;

  private constructor(options: ConnectionOptions, host: string) {
    this.#options = options;
    this.#opened = openClient(options, host, false);
    const lose = (error: Error) => {
      if (this.#lost) return;
      this.#lost = error;
      this.#onLost?.(error);
    };
    this.#opened.client.on('error', lose);
    this.#opened.client.on('end', () => lose(new ConnectionLost('the connection of the writer has ended')));
  }

  /** Connects to the server directly: a session lock would remain in a pooler. */
  static async open(
    url: string,
    name: string,
    settings: Readonly<Record<string, string>>,
    silentMs = SILENT_MS,
  ): Promise<Writer> {
    const address = readAddress(url);
    const options = { address, name, settings, connectTimeoutMs: CONNECT_MS, silentMs };
    const writer = new Writer(options, await locateHost(address));
    const { processId, pooled } = await connectClient(writer.#opened, CONNECT_MS);
    writer.#processId = processId;
    if (!pooled) return writer;
    writer.#opened.socket.destroy();
    throw new Error(
      'the database is behind a connection pooler: what writes the tables needs the URL of the server itself',
    );
  }

  /** Registers a callback for the loss of the connection; it is called once. */
  onLost(callback: (error: Error) => void): void {
    this.#onLost = callback;
    if (this.#lost) callback(this.#lost);
  }

  /** Runs one statement. */
  async query<T extends object>(text: string, values: Parameter[] = []): Promise<T[]> {
    return await this.#guarded(async () => (await this.#opened.client.query<T>(text, values)).rows);
  }

  /**
   * Sends all statements and resolves once they are committed; rejects with the first error after the rollback. After a failure
   * the writer must be ended.
   */
  async run(flush: Flush): Promise<void> {
    await this.#guarded(async () => {
      const { client } = this.#opened;
      await client.query('begin');
      for (const statement of flush.take()) {
        await this.#send(statement);
        this.#completed++;
      }
      await client.query('commit');
    });
  }

  /** Ends the connection at once, whatever the server does: statements in progress fail. */
  destroy(): void {
    this.#opened.socket.destroy();
  }

  async end(): Promise<void> {
    const { client, socket } = this.#opened;
    const timer = setTimeout(() => socket.destroy(), END_MS);
    try {
      await client.end();
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(statement: FlushStatement): Promise<void> {
    const { client } = this.#opened;
    const { text } = statement;
    if (statement.kind === 'query') {
      await client.query({ name: this.#nameOf(text), text, values: statement.values });
      return;
    }
    const stream = client.query(copyFrom(text));
    const { data } = statement;
    for (let part = data.shift(); part; part = data.shift()) {
      if (data.length === 0) stream.end(part);
      else if (!stream.write(part)) await once(stream, 'drain');
    }
    await finished(stream);
  }

  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? `w${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** Waits as long as the server works; ends the connection if it does not. */
  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    const { socket } = this.#opened;
    const look = () => {
      const completed = this.#completed;
      // If a statement completed meanwhile, the connection works: between two statements the server is idle.
      const waits = () => this.#completed === completed;
      isBackendBusy(this.#options, [this.#processId]).then(
        busy => {
          if (busy || !waits()) return;
          const lose = () => {
            if (waits()) socket.destroy(new ConnectionLost('the server has no statement of the writer under way'));
          };
          setTimeout(lose, ARRIVAL_MS).unref();
        },
        (error: Error) => {
          if (waits()) socket.destroy(error);
        },
      );
    };
    const timer = setInterval(look, this.#options.silentMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      this.#completed++;
    }
  }
}
