import * as is from '../setting.ts';
import { optional, set, shareOfMemory } from '../setting.ts';

/** Limits of API requests, and memory for responses. */
export const requestsSettings = {
  queryTimeout: set({
    name: 'CAIRN_QUERY_TIMEOUT',
    kind: is.seconds,
    fallback: '15',
    aliases: ['PG_STATEMENT_TIMEOUT'],
    about: 'Seconds after which the database cancels a query of the API.',
  }),
  requestTimeout: set({
    name: 'CAIRN_REQUEST_TIMEOUT',
    kind: is.seconds,
    fallback: '30',
    about:
      'Seconds a client has to send its whole request, and the longest time without progress while it reads the response.',
  }),
  bodyLimit: set({
    name: 'CAIRN_BODY_LIMIT',
    kind: is.bytes,
    fallback: '10000000',
    aliases: ['STACKS_CORE_PROXY_BODY_LIMIT'],
    about: 'Maximum size of a request body of the API in bytes.',
  }),
  maxInFlight: set({
    name: 'CAIRN_MAX_IN_FLIGHT',
    kind: is.integer('a number of requests, at least 1', 1, 1_000_000),
    fallback: '1000',
    about: 'Maximum number of requests in progress; further ones get 503. Cached responses do not count.',
  }),
  rateLimit: set({
    name: 'CAIRN_RATE_LIMIT',
    kind: is.integer('units a second from 0', 0, 1_000_000_000),
    fallback: '100',
    about:
      'Units a client may use each second. A request costs 1 unit, up to 5 if its response is not cached, plus 1 for each 10 ms of work beyond that. 0 disables the limit. Clients on this machine are not limited.',
  }),
  rateBurst: set({
    name: 'CAIRN_RATE_BURST',
    kind: is.integer('a number of units, at least 1', 1, 1_000_000_000),
    fallback: '3000',
    about: 'Units a client may use at once after a pause. Above it, requests get 429 with `Retry-After`.',
  }),
  maxOpenPerClient: set({
    name: 'CAIRN_MAX_OPEN_PER_CLIENT',
    kind: is.integer('a number of requests, at least 1', 1, 1_000_000),
    fallback: '200',
    about:
      'Maximum number of open requests of one client; further ones get 429. Not limited when `CAIRN_RATE_LIMIT` is 0.',
  }),
  trustedProxies: set({
    name: 'CAIRN_TRUSTED_PROXIES',
    kind: is.list(is.subnet),
    fallback: '',
    about: 'Comma-separated addresses and networks of reverse proxies whose `X-Forwarded-For` is trusted.',
  }),
  apiKeys: set({
    name: 'CAIRN_API_KEYS',
    kind: is.choice('off', 'optional', 'required'),
    fallback: 'off',
    about:
      'Whether clients may send an API key and get its own limits (`optional`), must send one (`required`), or are only told apart by address (`off`). `cairn keys` manages keys.',
  }),
  adminToken: optional({
    name: 'CAIRN_ADMIN_TOKEN',
    kind: is.secretToken,
    unset: 'admin routes accept only clients on this machine',
    secret: true,
    about: 'Bearer token of the admin routes on the metrics port, at least 16 characters.',
  }),
  slowQueryMs: set({
    name: 'CAIRN_SLOW_QUERY_MS',
    kind: is.integer('milliseconds from 0', 0, 2_000_000_000),
    fallback: '1000',
    about:
      'Milliseconds from which a statement of the API is logged, with its name, the id of the request and the shapes of its parameters; values are never logged. 0 disables the log.',
  }),
  requestLog: set({
    name: 'CAIRN_REQUEST_LOG',
    kind: is.flag,
    fallback: 'false',
    about: 'Whether each request is logged, with its id, method, URL, status, duration and node.',
  }),
  responseCacheBytes: shareOfMemory({
    name: 'CAIRN_RESPONSE_CACHE_BYTES',
    kind: is.bytes,
    share: 1 / 8,
    unset: 'an eighth of `CAIRN_MEMORY`',
    about: 'Memory for cached responses, in bytes.',
  }),
  itemCacheBytes: shareOfMemory({
    name: 'CAIRN_ITEM_CACHE_BYTES',
    kind: is.bytes,
    share: 1 / 8,
    unset: 'an eighth of `CAIRN_MEMORY`',
    about: 'Memory for rendered list items, such as transactions and blocks, which several lists share, in bytes.',
  }),
} as const;
