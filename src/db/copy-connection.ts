import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type Address, readAddress } from './address.ts';
import { ConnectionLost } from './database-error.ts';
import type { Parameter } from './parameter.ts';
import { connectClient, type OpenClient, openClient } from './pool/open-client.ts';
import { locateHost } from './pool/primary-search.ts';

const CONNECT_MS = 10_000;
const END_MS = 1000;
const SILENT_MS = 30_000;

/** COPY of large tables takes hours, and a transaction waits for others meanwhile. */
const settings = {
  jit: 'off',
  TimeZone: 'UTC',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** A session for COPY streams of any length. It runs one statement at a time; after a failed COPY it must be ended. */
export class CopyConnection {
  readonly #opened: OpenClient;
  #lost: Error | undefined;

  private constructor(address: Address, host: string, name: string) {
    const options = { address, name, settings, connectTimeoutMs: CONNECT_MS, silentMs: SILENT_MS };
    this.#opened = openClient(options, host, false);
    const { client } = this.#opened;
    client.on('error', error => {
      this.#lost ??= error;
    });
    client.on('end', () => {
      this.#lost ??= new ConnectionLost('the connection to the database has ended');
    });
  }

  /** Connects to the server directly: transactions of several connections share a snapshot, which a pooler may not carry. */
  static async open(url: string, name: string): Promise<CopyConnection> {
    const address = readAddress(url);
    const connection = new CopyConnection(address, await locateHost(address), name);
    const { pooled } = await connectClient(connection.#opened, CONNECT_MS);
    if (!pooled) return connection;
    connection.destroy();
    throw new Error('the database is behind a connection pooler: use the URL of the server itself');
  }

  /** The reason if the connection is lost. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** Runs one statement with values, or several without. */
  async query<T extends object>(text: string, values: Parameter[] = []): Promise<T[]> {
    const { client } = this.#opened;
    return values.length === 0 ? (await client.query<T>(text)).rows : (await client.query<T>(text, values)).rows;
  }

  /** Runs `copy … to stdout`, passes its bytes on in order, and resolves with the number of rows. */
  async copyTo(text: string, take: (bytes: Buffer) => Promise<void>): Promise<number> {
    const { client } = this.#opened;
    const stream = client.query(copyTo(text));
    try {
      for await (const bytes of stream) await take(bytes);
    } catch (error) {
      this.destroy(); // The server may still send the rest.
      throw this.#lost ?? error;
    }
    await client.query('select'); // The number of rows arrives after the last byte.
    return stream.rowCount;
  }

  /** Runs `copy … from stdin` with these bytes and resolves with the number of rows; an error of the source aborts the COPY. */
  async copyFrom(text: string, source: AsyncIterable<Buffer>): Promise<number> {
    const stream = this.#opened.client.query(copyFrom(text));
    await pipeline(source, stream);
    return stream.rowCount;
  }

  /** Ends the connection at once, whatever the server does. */
  destroy(): void {
    this.#opened.socket.destroy();
  }

  async end(): Promise<void> {
    const { client, socket } = this.#opened;
    if (this.#lost || socket.destroyed) return;
    const timer = setTimeout(() => socket.destroy(), END_MS);
    try {
      await client.end();
    } finally {
      clearTimeout(timer);
    }
  }
}
