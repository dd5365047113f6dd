import { Agent } from 'undici';
import { serverVersion } from '../config/version.ts';
import { addressGuard } from '../outbound/address-guard.ts';
import { withDeadline } from '../outbound/deadline.ts';
import {
  guardedConnector,
  type NameResolver,
  openNameResolver,
  RefusedAddress,
} from '../outbound/guarded-connector.ts';
import { readRetryAfter } from '../outbound/retry-after.ts';

export type HttpSenderOptions = {
  /** Networks that are not public and may be sent to, also without TLS. */
  allow: readonly string[];
  /** Finds the addresses of host names; DNS unless given. */
  resolve?: NameResolver | undefined;
  /** Time limit of one request with its response. */
  timeoutMs?: number | undefined;
};

/** How one attempt ended. */
export type Outcome = {
  /** Undefined if no status arrived. */
  status: number | undefined;
  durationMs: number;
} & (
  | { ok: true }
  | {
      ok: false;
      error: string;
      /** What follows: try again, not before a time if the receiver asks so; stop; or stop because nobody wants it any more. */
      next: 'retry' | 'pause' | 'disable';
      askedMs?: number;
    }
);

/** Standard Webhooks 1.0 recommends 15 to 30 seconds. */
const TIMEOUT_MS = 20_000;
/** Most bytes of a response that are read. */
const MAX_RESPONSE_BYTES = 65_536;
const MAX_HEADER_BYTES = 16_384;

/** Statuses by which a receiver asks for less. */
const SLOWER: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Posts to the URLs of hooks: only to public addresses and allowed networks, without following redirects. */
export class HttpSender {
  readonly timeoutMs: number;
  readonly #agents: Readonly<Record<string, Agent>>;

  constructor({ allow, resolve, timeoutMs = TIMEOUT_MS }: HttpSenderOptions) {
    this.timeoutMs = timeoutMs;
    const names = localNames(resolve ?? openNameResolver([]));
    const agentFor = (others: 'public' | 'none') =>
      new Agent({
        connect: guardedConnector(addressGuard(allow, others), names),
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
    this.#agents = { 'https:': agentFor('public'), 'http:': agentFor('none') };
  }

  /** Posts a body once, in at most `withinMs`; rejects if the signal is aborted. */
  async post(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
    withinMs = this.timeoutMs,
  ): Promise<Outcome> {
    const began = performance.now();
    const outcome = (rest: object) =>
      ({ durationMs: Math.round(performance.now() - began), status: undefined, ...rest }) as Outcome;
    try {
      const found = await withDeadline(Math.min(withinMs, this.timeoutMs), signal, within =>
        this.#post(new URL(url), headers, body, within),
      );
      return outcome(found);
    } catch (error) {
      if (signal.aborted) throw error;
      return outcome({ ok: false, ...problemOf(error) });
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#agents).map(agent => agent.destroy()));
  }

  async #post(target: URL, headers: Record<string, string>, body: string, signal: AbortSignal) {
    const response = await this.#agents[target.protocol]!.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': serverVersion.replace(' v', '/'), ...headers },
      body,
      signal,
    });
    const { statusCode: status, headers: given } = response;
    // A body that is not read to its end reports an error when it is destroyed.
    response.body.on('error', () => {});
    try {
      const isWhole = await readUpTo(response.body, MAX_RESPONSE_BYTES);
      return { status, ...judge(status, isWhole, [given['retry-after']].flat()[0]) };
    } finally {
      response.body.destroy();
    }
  }
}

/** Reads and drops a body; false if it has more bytes. */
async function readUpTo(body: AsyncIterable<Buffer>, maxBytes: number): Promise<boolean> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return false;
  }
  return true;
}

function judge(status: number, isWhole: boolean, retryAfter: string | undefined) {
  if (status === 410) return { ok: false, error: 'the receiver responded with 410 Gone', next: 'disable' };
  const fail = (error: string, more: object = {}) => ({ ok: false, error, next: 'retry', ...more });
  if (!isWhole) return fail(`the response has more than ${MAX_RESPONSE_BYTES} bytes`);
  if (status >= 200 && status < 300) return { ok: true };
  if (status >= 300 && status < 400)
    return fail(`the receiver redirects with status ${status}: give the hook the final URL`);
  const asked = SLOWER.has(status) ? { askedMs: readRetryAfter(retryAfter) } : {};
  return fail(`the receiver responded with status ${status}`, asked);
}

const TIMEOUT = /^(?:UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT|ETIMEOUT)$/;

/** What went wrong on the way, without addresses; throws an error that is not of the network. */
function problemOf(error: unknown): { error: string; next: 'retry' | 'pause' } {
  const { code = '', name = '' } = error as { code?: string; name?: string };
  if (error instanceof RefusedAddress) {
    const text = 'the host has an address that is not allowed: https is sent to public addresses, http only';
    return { error: `${text} to networks of CAIRN_WEBHOOK_ALLOW`, next: 'pause' };
  }
  if (TIMEOUT.test(code) || name === 'TimeoutError') return { error: 'the receiver is too slow', next: 'retry' };
  if (name === 'HTTPParserError') return { error: 'the receiver does not speak HTTP', next: 'retry' };
  if (code === '') throw error;
  return { error: `the receiver cannot be reached (${code})`, next: 'retry' };
}

const LOCAL = /^(?:.+\.)?localhost\.?$/;

/** DNS does not know the names of this machine (RFC 6761). */
const localNames =
  (resolve: NameResolver): NameResolver =>
  async host =>
    LOCAL.test(host) ? ['127.0.0.1'] : await resolve(host);
