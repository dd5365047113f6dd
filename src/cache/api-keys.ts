import type { Pool } from '../db/client.ts';
import type { Log } from '../log.ts';
import { type ApiKeyRow, findKeysChange, KEYS_CHANNEL, listKeys } from '../queries/keys/api-keys.ts';

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
  #reading: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #unlisten: (() => Promise<void>) | undefined;
  #stopped = false;
  readonly #watchers = new Set<(keys: readonly ApiKeyRow[]) => void>();

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
    if (this.#reading) {
      this.#again = true;
      return this.#reading;
    }
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#unlisten?.().catch(() => {});
    await this.#reading;
  }

  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    const { sql, log, pollMs = POLL_MS } = this.#options;
    do {
      this.#again = false;
      try {
        const change = await findKeysChange(sql);
        if (change !== this.#change) this.#take(await listKeys(sql), change);
        this.#failing = false;
      } catch (error) {
        // The known keys stay valid while the database is away.
        if (!this.#failing) log.warn({ err: error }, 'the API keys cannot be read; will keep trying');
        this.#failing = true;
      }
    } while (this.#again && !this.#stopped);
    if (!this.#stopped) this.#timer = setTimeout(() => void this.refresh(), pollMs);
  }

  #take(keys: readonly ApiKeyRow[], change: number): void {
    this.#byHash = new Map(keys.map(key => [key.hash.toString('base64'), key]));
    this.#change = change;
    for (const callback of this.#watchers) callback(keys);
  }
}
