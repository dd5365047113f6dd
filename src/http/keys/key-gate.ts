import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Metrics } from '../../metrics.ts';
import { RateLimiter } from '../limits/rate-limiter.ts';
import type { ApiKeys } from './key-cache.ts';
import type { ApiKeyRow } from './key-queries.ts';
import { hashOfKey, isKey, presentedKey, presentedOnUpgrade } from './key-text.ts';

export type KeyDefaults = { perSecond: number; burst: number; maxOpen: number };

export type KeyGateOptions = {
  /** True: requests without a key are rejected. */
  required: boolean;
  keys: Pick<ApiKeys, 'find' | 'watch'>;
  /** Whether a route judges what a request presents by itself: it is no key then. */
  isLeftToRoute?: (request: IncomingMessage, text: string) => boolean;
  /** Limits of keys that have none of their own. */
  defaults: KeyDefaults;
  metrics: Pick<Metrics, 'apiKeyRequests' | 'apiKeyRejections' | 'apiKeyWork'>;
};

/** Why a request is rejected, with the response. */
export type Denial = { message: string; header: string };

/** What a request presents: a valid key, or a reason to reject it. */
export type Presented = { account: KeyAccount; denied?: undefined } | { denied: Denial; account?: undefined };

/** The limits and counters of one key in this process. */
export class KeyAccount {
  readonly name: string;
  readonly limiter: RateLimiter;
  readonly maxOpen: number;
  /** Upgraded connections, which end when the key is revoked. */
  readonly sockets = new Set<Duplex>();
  readonly allowed: { inc(): void };
  readonly limited: { inc(): void };
  readonly work: { inc(seconds: number): void };

  constructor(row: ApiKeyRow, label: string, { defaults, metrics }: KeyGateOptions) {
    const { perSecond, burst, maxOpen } = defaults;
    this.name = row.name;
    this.limiter = new RateLimiter({ perSecond: row.per_second ?? perSecond, burst: row.burst ?? burst });
    this.maxOpen = row.max_open ?? maxOpen;
    this.allowed = metrics.apiKeyRequests.labels(label, 'allowed');
    this.limited = metrics.apiKeyRequests.labels(label, 'limited');
    this.work = metrics.apiKeyWork.labels(label);
  }

  /** Ends a connection when the key is revoked. */
  follow(socket: Duplex): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }
}

/** Keys with a label of their own in metrics; further ones share `other`. */
const MAX_LABELS = 100;
const HOW = 'send it as "x-api-key: KEY" or "Authorization: Bearer KEY"';
/** Requests of health checks and of browsers before the real request, which carry no key. */
const OPEN_PATHS = /^\/(healthz|readyz)\/?(\?|$)/;

const denials = {
  missing: deny(`This API needs a key: ${HOW}`, `send an API key as x-api-key or as a Bearer token`, ''),
  malformed: deny(`The API key is malformed: ${HOW}`, 'the API key is malformed', 'invalid_token'),
  unknown: deny('The API key is not known: ask the operator of this API', 'the API key is not known', 'invalid_token'),
  revoked: deny('The API key was revoked: ask the operator of this API', 'the API key was revoked', 'invalid_token'),
} as const;

/** The challenge of RFC 6750, which names an error only where a key was sent. */
function deny(message: string, description: string, error: string): Denial {
  const named = error === '' ? '' : `, error="${error}"`;
  return { message, header: `Bearer realm="Cairn API key"${named}, error_description="${description}"` };
}

/** Decides by the API key of a request whether it is served, and to which account it is charged. */
export class KeyGate {
  readonly #options: KeyGateOptions;
  readonly #accounts = new Map<bigint, KeyAccount>();

  constructor(options: KeyGateOptions) {
    this.#options = options;
    options.keys.watch(keys => this.#follow(keys));
  }

  /** Undefined for a request without a key that is served nevertheless. */
  read(request: IncomingMessage, upgrade = false): Presented | undefined {
    const text = upgrade ? presentedOnUpgrade(request) : presentedKey(request);
    if (text === undefined) {
      if (!this.#options.required || isOpen(request)) return undefined;
      return this.#deny('missing');
    }
    if (this.#options.isLeftToRoute?.(request, text)) return undefined;
    if (!isKey(text)) return this.#deny('malformed');
    const row = this.#options.keys.find(hashOfKey(text));
    if (!row) return this.#deny('unknown');
    const account = row.revoked_at === null ? this.#accounts.get(row.id) : undefined;
    return account ? { account } : this.#deny('revoked');
  }

  #deny(reason: keyof typeof denials): Presented {
    this.#options.metrics.apiKeyRejections.inc({ reason });
    return { denied: denials[reason] };
  }

  /** Opens accounts of new keys and closes those of revoked keys. */
  #follow(keys: readonly ApiKeyRow[]): void {
    const active = keys.filter(key => key.revoked_at === null);
    const valid = new Set(active.map(key => key.id));
    for (const [id, account] of this.#accounts) {
      if (valid.has(id)) continue;
      this.#accounts.delete(id);
      for (const socket of account.sockets) socket.destroy();
    }
    for (const key of active) {
      if (this.#accounts.has(key.id)) continue;
      const label = this.#accounts.size < MAX_LABELS ? key.name : 'other';
      this.#accounts.set(key.id, new KeyAccount(key, label, this.#options));
    }
  }
}

const isOpen = ({ method, url = '/' }: IncomingMessage) => method === 'OPTIONS' || OPEN_PATHS.test(url);
