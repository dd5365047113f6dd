import { RepeatedRead } from '../../cache/repeated-read.ts';
import type { Pool } from '../../db/client.ts';
import type { Log } from '../../log.ts';
import { type ApiKeyRow, findKeysChange, KEYS_CHANNEL, listKeys } from './key-queries.ts';

export type ApiKeysOptions = {
  /** The primary: a replica sends no notifications and may be behind. */
  sql: Pool;
  log: Log;
  /** How often to look for changes without a notification. */
  pollMs?: number;
};

const POLL_MS = 500;

/** The API keys in memory: read again after each NOTIFY, and periodically in case a notification got lost. */
export class ApiKeys {
  readonly #options: ApiKeysOptions;
  #byHash: ReadonlyMap<string, ApiKeyRow> = new Map();
  #change = -1;
  #failing = false;
  #unlisten: (() => Promise<void>) | undefined;
  readonly #watchers = new Set<(keys: readonly ApiKeyRow[]) => void>();

  readonly #reads = new RepeatedRead(
    () => this.#read(),
    () => this.#options.pollMs ?? POLL_MS,
  );

  constructor(options: ApiKeysOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { sql } = this.#options;
    const refresh = () => void this.refresh();
    const listening = await sql.listen(KEYS_CHANNEL, refresh, refresh);
    this.#unlisten = () => listening.unlisten();
    await this.refresh();
  }

  /** The key with this hash (SHA-256 in base64), which may be revoked. */
  find(hash: string): ApiKeyRow | undefined {
    return this.#byHash.get(hash);
  }

  /** Calls back with all keys after every change, and at once with those that are known. */
  watch(callback: (keys: readonly ApiKeyRow[]) => void): void {
    this.#watchers.add(callback);
    callback([...this.#byHash.values()]);
  }

  /** Reads the keys if they have changed; calls that arrive meanwhile share the next read. */
  refresh(): Promise<void> {
    return this.#reads.request();
  }

  async stop(): Promise<void> {
    this.#reads.stop();
    await this.#unlisten?.().catch(() => {});
    await this.#reads.settled();
  }

  async #read(): Promise<void> {
    const { sql, log } = this.#options;
    try {
      const change = await findKeysChange(sql);
      if (change !== this.#change) this.#take(await listKeys(sql), change);
      this.#failing = false;
    } catch (error) {
      // The known keys stay valid while the database is away.
      if (!this.#failing) log.warn({ err: error }, 'the API keys cannot be read; will keep trying');
      this.#failing = true;
    }
  }

  #take(keys: readonly ApiKeyRow[], change: number): void {
    this.#byHash = new Map(keys.map(key => [key.hash.toString('base64'), key]));
    this.#change = change;
    for (const callback of this.#watchers) callback(keys);
  }
}
