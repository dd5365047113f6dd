import { UsageError } from '../errors.ts';
import * as incumbent from './incumbent-settings.ts';
import type { Alias, Environment, Setting } from './setting.ts';
import * as is from './setting.ts';
import { adviseUnused } from './unused-settings.ts';

/** A setting with a default always has a value. */
const set = <T>(setting: Setting<T> & { fallback: string }) => ({ ...setting, optional: false as const });

/** A setting without a default may be left unset. */
const optional = <T>(setting: Setting<T> & { unset: string }) => ({ ...setting, optional: true as const });

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting of the program: the parsing, the defaults and the table in the docs come from here. */
export const settings = {
  apiHost: set({
    name: 'CAIRN_API_HOST',
    kind: is.text,
    fallback: '127.0.0.1',
    aliases: ['STACKS_BLOCKCHAIN_API_HOST'],
    about: 'Address on which the API listens.',
  }),
  apiPort: set({
    name: 'CAIRN_API_PORT',
    kind: is.port,
    fallback: '3999',
    aliases: ['STACKS_BLOCKCHAIN_API_PORT'],
    about: 'Port of the API.',
  }),
  observerHost: set({
    name: 'CAIRN_OBSERVER_HOST',
    kind: is.text,
    fallback: '127.0.0.1',
    aliases: ['STACKS_CORE_EVENT_HOST'],
    about: 'Address on which the observer listens for nodes. Nodes are trusted: keep it off the public network.',
  }),
  observerAllow: set({
    name: 'CAIRN_OBSERVER_ALLOW',
    kind: is.list(is.subnet),
    fallback: '127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,fc00::/7,fe80::/10',
    about: 'Comma list of addresses and networks whose events the observer takes; others get 403.',
  }),
  observerPort: set({
    name: 'CAIRN_OBSERVER_PORT',
    kind: is.port,
    fallback: '3700',
    aliases: ['STACKS_CORE_EVENT_PORT'],
    about: 'Port where nodes post their events.',
  }),
  observerBodyLimit: set({
    name: 'CAIRN_OBSERVER_BODY_LIMIT',
    kind: is.bytes,
    fallback: '500000000',
    aliases: ['STACKS_CORE_EVENT_BODY_LIMIT'],
    about: 'Largest event in bytes; the genesis block of mainnet has about 80 MB.',
  }),
  metricsHost: set({
    name: 'CAIRN_METRICS_HOST',
    kind: is.text,
    fallback: '127.0.0.1',
    about: 'Address on which metrics and health checks listen.',
  }),
  metricsPort: set({
    name: 'CAIRN_METRICS_PORT',
    kind: is.port,
    fallback: '9153',
    about: 'Port of Prometheus metrics, `/healthz` and `/readyz`; metrics are never on the public port.',
  }),
  dataDir: set({
    name: 'CAIRN_DATA_DIR',
    kind: is.text,
    fallback: './data',
    about: 'Folder of the embedded database and of other files.',
  }),
  databaseUrl: optional({
    name: 'DATABASE_URL',
    kind: is.url('postgres', 'postgresql'),
    unset: 'embedded PostgreSQL',
    aliases: [incumbent.primaryServer],
    secret: true,
    about: 'The primary PostgreSQL server (tested with 18). The database must be for Cairn alone.',
  }),
  readUrls: set({
    name: 'CAIRN_READ_URLS',
    kind: is.list(is.url('postgres', 'postgresql')),
    fallback: '',
    aliases: [incumbent.replicaServer],
    secret: true,
    about: 'Comma list of read replicas; this process reads from the first that answers.',
  }),
  dbPool: optional({
    name: 'CAIRN_DB_POOL',
    kind: is.integer('a number of connections from 1 to 1000', 1, 1000),
    unset: 'twice the processors and one more, at least 5',
    aliases: ['PG_CONNECTION_POOL_MAX'],
    about: 'Connections that answer questions. The fold and the observer have their own.',
  }),
  network: optional({
    name: 'CAIRN_NETWORK',
    kind: is.network,
    unset: 'told by events or a node; devnet without nodes',
    aliases: [incumbent.chainId],
    about: 'Which chain this is. Stored in the database once it is known, and checked at every later start.',
  }),
  nodes: set({
    name: 'CAIRN_NODES',
    kind: is.list(is.node),
    fallback: '',
    aliases: [incumbent.nodeParts],
    secret: true,
    about:
      'Comma list of the nodes whose RPC is offered. `header` goes with every request, `auth` only with guarded ones of our own.',
  }),
  nodeTimeout: set({
    name: 'CAIRN_NODE_TIMEOUT',
    kind: is.seconds,
    fallback: '30',
    about: 'Seconds in which a node must have begun to answer, and must send each further piece.',
  }),
  nodeHedgeDelay: set({
    name: 'CAIRN_NODE_HEDGE_DELAY',
    kind: is.milliseconds,
    fallback: '250',
    about: 'Milliseconds after which a read that has no answer yet is also asked of another node.',
  }),
  nodeMaxLag: set({
    name: 'CAIRN_NODE_MAX_LAG',
    kind: is.integer('a number of blocks', 0, 1_000_000),
    fallback: '5',
    about: 'Blocks that a node may be behind the best one and still be asked like it.',
  }),
  nodeConnections: set({
    name: 'CAIRN_NODE_CONNECTIONS',
    kind: is.integer('a number of connections from 1 to 10000', 1, 10_000),
    fallback: '128',
    about: 'Connections to each node; when all of all nodes are busy, 503.',
  }),
  nodeAnswerLimit: set({
    name: 'CAIRN_NODE_ANSWER_LIMIT',
    kind: is.bytes,
    fallback: '134217728',
    about: 'Largest answer of a node in bytes.',
  }),
  nodePaths: set({
    name: 'CAIRN_NODE_PATHS',
    kind: is.list(is.path),
    fallback: '',
    about:
      'Comma list of paths, and what is below them, that are meant for nodes alone and shall be offered all the same, as `/v3/block_proposal`.',
  }),
  broadcastNodes: set({
    name: 'CAIRN_BROADCAST_NODES',
    kind: is.integer('a number of nodes from 1 to 100', 1, 100),
    fallback: '3',
    about: 'Nodes that a transaction is sent to at once; the first that accepts it answers.',
  }),
  devnet: set({
    name: 'CAIRN_DEVNET',
    kind: is.flag,
    fallback: 'true',
    about: 'Whether a simulated devnet runs where no node, no `DATABASE_URL` and no other network is set.',
  }),
  devnetPort: set({
    name: 'CAIRN_DEVNET_PORT',
    kind: is.port,
    fallback: '20443',
    about: 'Loopback port of the simulated node; when it is taken, any free one.',
  }),
  devnetBlockSeconds: set({
    name: 'CAIRN_DEVNET_BLOCK_SECONDS',
    kind: is.integer('whole seconds from 0', 0, 86_400),
    fallback: '5',
    about: 'Seconds between blocks of the simulated devnet; 0 mines as fast as the index takes them.',
  }),
  devnetSeed: set({
    name: 'CAIRN_DEVNET_SEED',
    kind: is.integer('a number from 0 to 4294967295', 0, 4_294_967_295),
    fallback: '1',
    about: 'Which simulated chain a fresh devnet makes.',
  }),
  role: set({
    name: 'CAIRN_ROLE',
    kind: is.choice('all', 'ingest', 'api', 'rosetta-offline'),
    fallback: 'all',
    aliases: [incumbent.apiMode],
    about:
      '`ingest` runs the observer and the fold, `api` answers questions and never writes, `all` does both. `rosetta-offline` makes Rosetta transactions without a database or a node.',
  }),
  keepAll: set({
    name: 'CAIRN_KEEP_ALL',
    kind: is.flag,
    fallback: 'false',
    about:
      "Also keep StackerDB chunks, proposal responses and miners' reports, which are counted and dropped otherwise.",
  }),
  readyMaxLag: set({
    name: 'CAIRN_READY_MAX_LAG',
    kind: is.seconds,
    fallback: '60',
    about: 'Seconds that the oldest waiting event may be old before `/readyz` says 503.',
  }),
  readyMaxBehind: set({
    name: 'CAIRN_READY_MAX_BEHIND',
    kind: is.integer('a number of blocks', 0, 1_000_000),
    fallback: '10',
    about: 'Blocks that the served chain may be behind the best node before `/readyz` says 503.',
  }),
  queryTimeout: set({
    name: 'CAIRN_QUERY_TIMEOUT',
    kind: is.seconds,
    fallback: '15',
    aliases: ['PG_STATEMENT_TIMEOUT'],
    about: 'Seconds after which the database gives up a question of the API.',
  }),
  requestTimeout: set({
    name: 'CAIRN_REQUEST_TIMEOUT',
    kind: is.seconds,
    fallback: '30',
    about: 'Seconds in which a client must have sent its whole request, and in which bytes of its answer must flow.',
  }),
  bodyLimit: set({
    name: 'CAIRN_BODY_LIMIT',
    kind: is.bytes,
    fallback: '10000000',
    aliases: ['STACKS_CORE_PROXY_BODY_LIMIT'],
    about: 'Largest request body of the API in bytes.',
  }),
  maxInFlight: set({
    name: 'CAIRN_MAX_IN_FLIGHT',
    kind: is.integer('a number of requests, at least 1', 1, 1_000_000),
    fallback: '1000',
    about: 'Requests that may be worked on at once; what comes beyond gets 503. Answers from memory do not count.',
  }),
  rateLimit: set({
    name: 'CAIRN_RATE_LIMIT',
    kind: is.integer('units a second from 0', 0, 1_000_000_000),
    fallback: '100',
    about:
      'Units that a client may use each second: a request is 1, one that has to be worked out up to 5, and afterwards 1 for each 10 ms of work beyond that. 0 sets no limit; from this machine there is none.',
  }),
  rateBurst: set({
    name: 'CAIRN_RATE_BURST',
    kind: is.integer('a number of units, at least 1', 1, 1_000_000_000),
    fallback: '3000',
    about: 'Units that a client may use at once after a pause. Beyond, it gets 429 with `Retry-After`.',
  }),
  maxOpenPerClient: set({
    name: 'CAIRN_MAX_OPEN_PER_CLIENT',
    kind: is.integer('a number of requests, at least 1', 1, 1_000_000),
    fallback: '200',
    about:
      'Requests of one client that may be open at once; what comes beyond gets 429. Not limited where `CAIRN_RATE_LIMIT` is 0.',
  }),
  trustedProxies: set({
    name: 'CAIRN_TRUSTED_PROXIES',
    kind: is.list(is.subnet),
    fallback: '',
    about: 'Comma list of addresses and networks of proxies whose `X-Forwarded-For` is believed.',
  }),
  cacheBytes: set({
    name: 'CAIRN_CACHE_BYTES',
    kind: is.bytes,
    fallback: '67108864',
    about: 'Memory for rendered answers, in bytes.',
  }),
  piecesBytes: set({
    name: 'CAIRN_PIECES_BYTES',
    kind: is.bytes,
    fallback: '67108864',
    about:
      'Memory for rendered entries of lists, such as transactions and blocks, that come again in other lists, in bytes.',
  }),
  wsPingInterval: set({
    name: 'CAIRN_WS_PING_INTERVAL',
    kind: is.seconds,
    fallback: '15',
    aliases: ['STACKS_API_WS_PING_INTERVAL'],
    about: 'Seconds between two pings to a realtime client; one that has not answered by the next is dropped.',
  }),
  wsIdleTimeout: set({
    name: 'CAIRN_WS_IDLE_TIMEOUT',
    kind: is.seconds,
    fallback: '300',
    about: 'Seconds after which a WebSocket that has subscribed to nothing and says nothing is closed.',
  }),
  wsMaxConnections: set({
    name: 'CAIRN_WS_MAX_CONNECTIONS',
    kind: is.integer('a number of connections, at least 1', 1, 1_000_000),
    fallback: '20000',
    about: 'Connections of realtime clients; WebSocket and Socket.IO count apart.',
  }),
  wsMaxPerAddress: set({
    name: 'CAIRN_WS_MAX_PER_ADDRESS',
    kind: is.integer('a number of connections, at least 1', 1, 1_000_000),
    fallback: '1000',
    about: 'Realtime connections of one client address, of both kinds together; from this machine there is no limit.',
  }),
  wsMaxSubscriptions: set({
    name: 'CAIRN_WS_MAX_SUBSCRIPTIONS',
    kind: is.integer('a number of subscriptions, at least 1', 1, 1_000_000),
    fallback: '2000',
    about: 'Subscriptions of one realtime connection.',
  }),
  wsMaxMessage: set({
    name: 'CAIRN_WS_MAX_MESSAGE',
    kind: is.bytes,
    fallback: '262144',
    about: 'Largest message of a realtime client in bytes.',
  }),
  wsMaxBuffered: set({
    name: 'CAIRN_WS_MAX_BUFFERED',
    kind: is.bytes,
    fallback: '4194304',
    about:
      'Bytes that may wait for a realtime client to take them; beyond, it is too slow and closed (WebSocket clients are told so).',
  }),
  wsMaxBufferedTotal: set({
    name: 'CAIRN_WS_MAX_BUFFERED_TOTAL',
    kind: is.bytes,
    fallback: '268435456',
    about: 'Bytes that may wait for all realtime clients together; beyond, those with the most are dropped.',
  }),
  deprecatedEndpoints: set({
    name: 'CAIRN_DEPRECATED_ENDPOINTS',
    kind: is.flag,
    fallback: 'true',
    aliases: ['ENABLE_DEPRECATED_ENDPOINTS'],
    about: 'Whether deprecated endpoints answer; when false they say 410.',
  }),
  compat: set({
    name: 'CAIRN_COMPAT',
    kind: is.choice('8', '9', '9.3'),
    fallback: '8',
    about:
      'Release that answers follow where releases differ: 8 (`/extended/v3` is then that of 9.0), 9, or 9.3 with the fields that came after 9.0; a request header `X-API-Version` asks for another one.',
  }),
  rosetta: set({
    name: 'CAIRN_ROSETTA',
    kind: is.flag,
    fallback: 'true',
    aliases: ['STACKS_API_ENABLE_ROSETTA'],
    about: 'Whether the Rosetta (Mesh) API is offered under `/rosetta/v1`.',
  }),
  rosettaCompat: set({
    name: 'CAIRN_ROSETTA_COMPAT',
    kind: is.flag,
    fallback: 'false',
    about: 'Whether Rosetta answers follow the incumbent where it departs from the Mesh specification.',
  }),
  stxFaucet: set({
    name: 'CAIRN_STX_FAUCET',
    kind: is.flag,
    fallback: 'false',
    aliases: ['TESTNET_STX_FAUCET_ENABLED'],
    about: 'Whether `POST /extended/v1/faucets/stx` gives STX; on test networks only, through the nodes of the pool.',
  }),
  stxFaucetKeys: set({
    name: 'CAIRN_STX_FAUCET_KEYS',
    kind: is.list(is.privateKey),
    fallback: '',
    aliases: ['FAUCET_PRIVATE_KEY'],
    secret: true,
    about:
      'Comma list of the private keys that the faucets of STX and sBTC give from; the next one when one has run dry.',
  }),
  sbtcFaucet: set({
    name: 'CAIRN_SBTC_FAUCET',
    kind: is.flag,
    fallback: 'false',
    aliases: ['TESTNET_SBTC_FAUCET_ENABLED'],
    about: 'Whether `POST /extended/v1/faucets/sbtc` gives sBTC; on test networks only.',
  }),
  sbtcFaucetContract: set({
    name: 'CAIRN_SBTC_FAUCET_CONTRACT',
    kind: is.contract,
    fallback: 'ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT.sbtc-token',
    aliases: [incumbent.sbtcAsset],
    about: 'Contract of the token that the sBTC faucet transfers.',
  }),
  sbtcFaucetAmount: set({
    name: 'CAIRN_SBTC_FAUCET_AMOUNT',
    kind: is.integer('a number of sats, at least 1', 1, 2_100_000_000_000_000),
    fallback: '10000',
    aliases: ['TESTNET_SBTC_FAUCET_AMOUNT'],
    about: 'Sats that the sBTC faucet gives.',
  }),
  btcFaucet: set({
    name: 'CAIRN_BTC_FAUCET',
    kind: is.flag,
    fallback: 'false',
    aliases: ['TESTNET_BTC_FAUCET_ENABLED'],
    about:
      'Whether `POST /extended/v1/faucets/btc` gives bitcoin from the wallet behind `CAIRN_BITCOIN_RPC`; on test networks only.',
  }),
  bitcoinRpc: optional({
    name: 'CAIRN_BITCOIN_RPC',
    kind: is.url('http', 'https'),
    unset: 'none',
    aliases: [incumbent.bitcoinParts],
    secret: true,
    about:
      'RPC of the Bitcoin node of the faucet, as `http://user:password@127.0.0.1:18443`, with `/wallet/NAME` where it has several.',
  }),
  stopTimeout: set({
    name: 'CAIRN_STOP_TIMEOUT',
    kind: is.seconds,
    fallback: '10',
    aliases: ['STACKS_SHUTDOWN_FORCE_KILL_TIMEOUT'],
    about: 'Seconds that open requests and the fold get to finish after SIGTERM.',
  }),
  logLevel: set({
    name: 'CAIRN_LOG_LEVEL',
    kind: is.choice(...LEVELS),
    fallback: 'info',
    aliases: [incumbent.logLevel],
    about: 'How much is logged.',
  }),
  logFormat: set({
    name: 'CAIRN_LOG_FORMAT',
    kind: is.choice('auto', 'json', 'pretty'),
    fallback: 'auto',
    about: '`auto` is pretty on a terminal and JSON lines elsewhere.',
  }),
} as const;

type ValueOf<S> = S extends { kind: is.Kind<infer T>; optional: infer O }
  ? O extends true
    ? T | undefined
    : T
  : never;

/** The names of the incumbent that are understood, each with the settings of ours that it decides. */
export const aliasNames: ReadonlyMap<string, readonly string[]> = Object.values(
  settings as Record<string, Setting<unknown>>,
)
  .flatMap(({ name, aliases = [] }) =>
    aliases.flatMap(alias => (typeof alias === 'string' ? [alias] : alias.names)).map(alias => ({ alias, name })),
  )
  .reduce((all, { alias, name }) => all.set(alias, [...(all.get(alias) ?? []), name]), new Map<string, string[]>());

/** The settings of one run, read once and never changed. */
export type Config = { readonly [K in keyof typeof settings]: ValueOf<(typeof settings)[K]> };

/**
 * Reads every setting; throws one UsageError with a line for each wrong value. Warnings are for the operator to act on; notes say
 * what has no effect and needs no action.
 */
export function readConfig(environment: Environment): { config: Config; warnings: string[]; notes: string[] } {
  // Compose files pass unset variables on as empty text.
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const errors: string[] = [];
  const unused = adviseUnused(env, new Set(aliasNames.keys()));
  const warnings = [...unknownNames(env), ...unused.warnings];
  const entries = Object.entries(settings as Record<string, Setting<unknown>>).map(([key, setting]) => {
    const given = sources(setting, env);
    const [first, ...rest] = given;
    const value = setting.kind.parse(first?.value ?? setting.fallback ?? '');
    for (const other of rest) {
      if (other.value !== first?.value) warnings.push(`${other.written} is ignored: ${first?.written} wins`);
    }
    if (first && value === undefined)
      errors.push(`${first.written} is not understood: expected ${setting.kind.accepts}`);
    return [key, first || setting.fallback !== undefined ? value : undefined];
  });
  if (errors.length > 0) throw new UsageError(errors.join('\n'));
  return { config: Object.freeze(Object.fromEntries(entries)) as Config, warnings, notes: unused.notes };
}

/** Where a setting has a value, own name first, each with the words the operator wrote. */
function sources(setting: Setting<unknown>, env: Environment): { value: string; written: string }[] {
  const names: Alias[] = [setting.name, ...(setting.aliases ?? [])].map(alias =>
    typeof alias === 'string' ? { names: [alias], read: e => e[alias] } : alias,
  );
  return names.flatMap(alias => {
    const value = alias.read(env);
    if (value === undefined) return [];
    const used = alias.names.filter(name => env[name] !== undefined);
    return [{ value, written: used.map(name => (setting.secret ? name : `${name}=${env[name]}`)).join(' ') }];
  });
}

/** A misspelled name would be ignored in silence. */
function unknownNames(env: Environment): string[] {
  const known = new Set(Object.values(settings).map(setting => setting.name as string));
  return Object.keys(env)
    .filter(name => name.startsWith('CAIRN_') && !known.has(name))
    .map(name => `${name} is not a setting of Cairn and is ignored; \`cairn settings\` lists them`);
}
