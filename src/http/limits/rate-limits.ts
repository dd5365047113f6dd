import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { addressSet, plainAddress } from '../../config/address-set.ts';
import type { Denial, KeyAccount, KeyGate } from '../keys/key-gate.ts';
import { clientOf } from './client-address.ts';
import { writeLimitHeaders } from './limit-headers.ts';
import { RateLimiter, type RateLimits, type Verdict } from './rate-limiter.ts';

export type RateOptions = RateLimits & {
  trustedProxies: readonly string[];
  /** Requests of one client that may be open at once; without it they are not limited. */
  maxOpen?: number;
  /** Reads API keys; without it they are ignored. */
  keys?: KeyGate;
  /** Called once for an address that is not trusted and sends `X-Forwarded-For`. */
  onUntrustedProxy?: (address: string) => void;
};

/** What became of a request: as `Verdict`, or rejected because of its API key. */
export type Admission = Verdict | { allowed: false; denied: Denial };

/** Who pays for a request: a client by its address, or an API key. */
type Payer = { client: string; limiter: RateLimiter; maxOpen: number; account?: KeyAccount };

/** A request that was judged: who pays, with what outcome, and where the client is told how it stands. */
type Judged = { payer: Payer | undefined; verdict: Admission | undefined; response: ServerResponse };

/** Where a request keeps its outcome: a weak map with an entry for each request would be work for every collection of young objects. */
const JUDGED = Symbol('judged');
type JudgedRequest = IncomingMessage & { [JUDGED]?: Judged };

/** The limits of a client, in units, and what they did since the start. */
export type RateState = {
  perSecond: number;
  burst: number;
  msPerUnit: number;
  maxOpen: number | undefined;
  refused: number;
};

/** Milliseconds of work that one unit pays for. */
const MS_PER_UNIT = 10;
/** A client with too many open requests may try again when one of them has ended. */
const OPEN_RETRY_SECONDS = 1;

/**
 * Judges requests before anything is done for them: each costs one unit, a cached response no more than that. Afterwards
 * the client is charged for the work of the response. A request with an API key is charged to the key.
 */
export class RateGate {
  readonly #options: RateOptions;
  readonly #limiter: RateLimiter;
  readonly #isTrusted: (address: string) => boolean;
  /** Requests of each client that are open. */
  readonly #open = new Map<string, number>();
  #warned = false;
  #refused = 0;

  constructor(options: RateOptions) {
    this.#options = options;
    this.#limiter = new RateLimiter(options);
    this.#isTrusted = addressSet(options.trustedProxies);
  }

  /** The limits of a client without a key, and how many requests limits refused; undefined if clients are not limited. */
  get state(): RateState | undefined {
    if (this.#off) return undefined;
    const { perSecond, burst, maxOpen } = this.#options;
    return { perSecond, burst, msPerUnit: MS_PER_UNIT, maxOpen, refused: this.#refused };
  }

  get #off(): boolean {
    return this.#options.perSecond === 0;
  }

  /** The client to which a connection is charged; undefined for this machine without a key, which is not limited. */
  clientOf(request: IncomingMessage): string | undefined {
    const account = this.#options.keys?.read(request, true)?.account;
    return account ? keyClient(account) : this.#addressOf(request);
  }

  /** Takes the first unit and a place among the open requests, once for each request however often it is called. */
  admits(request: JudgedRequest, response: ServerResponse): Admission | undefined {
    const { keys } = this.#options;
    if (this.#off && !keys) return undefined;
    const known = request[JUDGED];
    if (known) return known.verdict;
    const presented = keys?.read(request);
    const payer = presented?.denied ? undefined : this.#payerOf(request, presented?.account);
    const verdict = presented?.denied
      ? ({ allowed: false, denied: presented.denied } as const)
      : payer && this.#judge(payer, response);
    if (verdict?.allowed === false && !('denied' in verdict)) this.#refused++;
    request[JUDGED] = { payer, verdict, response };
    if (payer) writeLimitHeaders(response, payer.limiter.standing(payer.client), 1);
    return verdict;
  }

  /**
   * The reason to reject an upgrade or a poll because of its API key. An upgraded connection ends when its key is revoked.
   */
  denial(request: IncomingMessage, upgraded?: Duplex): Denial | undefined {
    const presented = this.#options.keys?.read(request, true);
    if (upgraded) presented?.account?.follow(upgraded);
    return presented?.denied;
  }

  /** Takes units for what has no response of its own, such as an upgrade or a message; seconds to wait when refused. */
  refusal(request: IncomingMessage, units = 1): number | undefined {
    const { keys } = this.#options;
    if (this.#off && !keys) return undefined;
    const payer = this.#payerOf(request, keys?.read(request, true)?.account);
    const verdict = payer?.limiter.take(payer.client, units);
    if (!verdict || verdict.allowed) return undefined;
    this.#refused++;
    return verdict.retryAfter;
  }

  /** Takes what a response costs beyond the first unit. */
  charges(request: JudgedRequest, cost: number): Verdict | undefined {
    const judged = request[JUDGED];
    const payer = judged?.payer;
    if (payer === undefined || cost <= 1) return undefined;
    const verdict = payer.limiter.take(payer.client, cost - 1);
    if (!verdict.allowed) this.#refused++;
    writeLimitHeaders(judged!.response, payer.limiter.standing(payer.client), cost);
    return verdict;
  }

  /** Charges a client for the work of a response beyond the units that it has paid already. */
  settles(request: JudgedRequest, paid: number, workMs: number): void {
    const payer = request[JUDGED]?.payer;
    payer?.limiter.charge(payer.client, workMs / MS_PER_UNIT - paid);
    payer?.account?.work.inc(workMs / 1000);
  }

  #payerOf(request: IncomingMessage, account: KeyAccount | undefined): Payer | undefined {
    if (account) return { client: keyClient(account), limiter: account.limiter, maxOpen: account.maxOpen, account };
    if (this.#off) return undefined;
    const client = this.#addressOf(request);
    const { maxOpen = Number.POSITIVE_INFINITY } = this.#options;
    return client === undefined ? undefined : { client, limiter: this.#limiter, maxOpen };
  }

  #addressOf(request: IncomingMessage): string | undefined {
    if (!this.#warned && request.headers['x-forwarded-for'] !== undefined) this.#warnOfProxy(request);
    return clientOf(request, this.#isTrusted);
  }

  #judge({ client, limiter, maxOpen, account }: Payer, response: ServerResponse): Verdict {
    const open = this.#open.get(client) ?? 0;
    const verdict: Verdict =
      open >= maxOpen ? { allowed: false, retryAfter: OPEN_RETRY_SECONDS } : limiter.take(client, 1);
    if (!verdict.allowed) {
      account?.limited.inc();
      return verdict;
    }
    account?.allowed.inc();
    this.#open.set(client, open + 1);
    response.once('close', () => {
      const left = this.#open.get(client)! - 1;
      if (left > 0) this.#open.set(client, left);
      else this.#open.delete(client);
    });
    return verdict;
  }

  #warnOfProxy(request: IncomingMessage): void {
    const address = plainAddress(request.socket.remoteAddress ?? '');
    if (this.#isTrusted(address)) return;
    this.#warned = true;
    this.#options.onUntrustedProxy?.(address);
  }
}

/** Apart from every address. */
const keyClient = ({ name }: KeyAccount) => `key ${name}`;
