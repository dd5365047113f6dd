import type { Environment } from './setting.ts';
import { flag } from './setting.ts';

/** Settings of the incumbent that have no effect here. */
export type UnusedSetting = {
  names: readonly string[];
  /** What to do instead, or why no action is needed. */
  instead: string;
  /** No function is lost without it, so it is logged as information instead of a warning. */
  harmless?: true;
  /** True for values that request what Cairn always does; nothing is logged then. */
  agrees?: (value: string) => boolean;
};

const is = (wanted: boolean) => (value: string) => flag.parse(value) === wanted;
const prefixed = (prefix: string, ...names: string[]) => names.map(name => prefix + name);

const SEND_MANY =
  'memos of bulk payments are read from every contract named `send-many-memo`, in Rosetta only from the well-known ones';

/** Every documented setting of the incumbent that is not an alias of a Cairn setting. */
export const unusedSettings: readonly UnusedSetting[] = [
  {
    names: ['STACKS_API_STORE_RAW_EVENTS'],
    agrees: is(true),
    instead: 'the event log is always stored; `cairn prune` exports and removes its old part',
  },
  {
    names: ['STACKS_API_EXTRA_TX_ENDPOINTS_FILE'],
    instead:
      'add the nodes behind these endpoints to `CAIRN_NODES`; `CAIRN_BROADCAST_NODES` sets how many receive each transaction',
  },
  {
    names: ['SKIP_STACKS_CHAIN_ID_CHECK'],
    agrees: is(false),
    harmless: true,
    instead: 'the chain id of the nodes is always compared with `CAIRN_NETWORK`; a difference prevents the start',
  },
  {
    names: ['PG_SCHEMA', 'PG_PRIMARY_SCHEMA'],
    agrees: value => value === 'public',
    instead: 'the tables are in the schema `public` of a database that Cairn does not share: give it an empty database',
  },
  {
    names: ['PG', 'PG_PRIMARY'].flatMap(prefix => prefixed(prefix, '_IDLE_TIMEOUT', '_MAX_LIFETIME', '_CLOSE_TIMEOUT')),
    harmless: true,
    instead: 'connections are managed by Cairn; `CAIRN_DB_POOL` sets their number',
  },
  {
    names: ['PG_APPLICATION_NAME', 'PG_PRIMARY_APPLICATION_NAME'],
    harmless: true,
    instead: 'connections are named after the part that opens them, such as `cairn api`',
  },
  {
    names: ['PG_PRIMARY_CONNECTION_POOL_MAX', 'PG_PRIMARY_STATEMENT_TIMEOUT'],
    harmless: true,
    instead: 'set `CAIRN_DB_POOL` and `CAIRN_QUERY_TIMEOUT`; they apply to the primary and the replicas',
  },
  {
    names: ['STACKS_BLOCK_DATA_INSERT_CONCURRENCY', 'STACKS_ADDRESS_CACHE_SIZE'],
    harmless: true,
    instead: 'blocks are written in one batch, and addresses are converted without a cache',
  },
  {
    names: ['MEMPOOL_STATS_DEBOUNCE_INTERVAL', 'MEMPOOL_STATS_DEBOUNCE_MAX_INTERVAL'],
    harmless: true,
    instead: 'mempool statistics are current in every response',
  },
  {
    names: prefixed('STACKS_API_WS_', 'PING_TIMEOUT', 'MESSAGE_TIMEOUT', 'UPDATE_QUEUE_TIMEOUT'),
    harmless: true,
    instead:
      'a realtime client has until the next ping (`CAIRN_WS_PING_INTERVAL`); one that reads too slowly is disconnected at `CAIRN_WS_MAX_BUFFERED`',
  },
  {
    names: ['STACKS_CORE_FEE_ESTIMATOR_ENABLED'],
    agrees: is(false),
    instead:
      '`POST /v2/fees/transaction` returns the estimates of the node unchanged; configure `[fee_estimation]` of the node, or let clients read `/extended/v2/mempool/fees`',
  },
  {
    names: prefixed(
      'STACKS_CORE_FEE_',
      'ESTIMATION_MODIFIER',
      'PAST_TENURE_FULLNESS_WINDOW',
      'PAST_DIMENSION_FULLNESS_THRESHOLD',
      'CURRENT_DIMENSION_FULLNESS_THRESHOLD',
      'CURRENT_BLOCK_COUNT_MINIMUM',
    ),
    instead: 'the node estimates fees, and Cairn does not modify them: configure `[fee_estimation]` of the node',
  },
  {
    names: ['STACKS_PROFILER_PORT', 'STACKS_PROFILER_HOST'],
    instead: 'start with `NODE_OPTIONS=--cpu-prof` or `--inspect`, and keep that port off the public network',
  },
  {
    names: ['BNS_IMPORT_DIR'],
    instead: 'run `cairn import-names FOLDER` once with that folder, before the first block if possible',
  },
  { names: ['TESTNET_SEND_MANY_CONTRACT_ID', 'MAINNET_SEND_MANY_CONTRACT_ID'], agrees: isSendMany, instead: SEND_MANY },
  {
    names: ['STACKS_FAUCET_NODE_HOST', 'STACKS_FAUCET_NODE_PORT'],
    instead: 'faucets send through the pool: add that node to `CAIRN_NODES`',
  },
  {
    names: ['BTC_FAUCET_PK'],
    instead: 'the Bitcoin faucet pays from the wallet of the Bitcoin node: import the key there',
  },
  {
    names: ['TESTNET_FAUCETS_RATE_LIMIT_ENABLED'],
    agrees: is(true),
    harmless: true,
    instead: 'faucets are always rate-limited, like the whole API: `CAIRN_RATE_LIMIT`',
  },
  {
    names: ['SNP_EVENT_STREAMING'],
    agrees: is(false),
    instead: 'events come from nodes over HTTP: add an `[[events_observer]]` for this service to the node',
  },
  {
    names: prefixed('SNP_', 'REDIS_URL', 'REDIS_STREAM_KEY_PREFIX', 'BLOCKS_ONLY_STREAMING'),
    instead: 'no Redis stream is read: add an `[[events_observer]]` for this service to the node',
  },
  {
    names: ['REDIS_NOTIFIER_ENABLED'],
    agrees: is(false),
    instead:
      'progress is not announced to Redis: subscribe to blocks at `/extended/v1/ws`, or follow `/rosetta/v1/events/blocks`, which also lists the blocks that a fork removed',
  },
  {
    names: prefixed(
      'REDIS_',
      ...['QUEUE', 'QUEUE_MAXLEN', 'URL', 'SENTINELS', 'SENTINEL_MASTER', 'SENTINEL_PASSWORD'],
      ...['SENTINEL_AUTH_PASSWORD', 'CLUSTER_NODES', 'CLUSTER_PASSWORD', 'CONNECTION_TIMEOUT', 'COMMAND_TIMEOUT'],
      'MAX_RETRIES',
    ),
    instead: 'Redis is not used: subscribe to blocks at `/extended/v1/ws`, or follow `/rosetta/v1/events/blocks`',
  },
  {
    names: ['STACKS_API_ENABLE_FT_METADATA'],
    agrees: is(false),
    instead: 'Rosetta has no operations of fungible tokens: use a token metadata service',
  },
  {
    names: ['STACKS_API_TOKEN_METADATA_ERROR_MODE'],
    harmless: true,
    instead: 'no token metadata is looked up',
  },
  {
    names: ['STACKS_API_ENABLE_LEGACY_ENDPOINTS'],
    agrees: is(true),
    harmless: true,
    instead:
      '`/extended/v1/tx/mempool/dropped` is always offered; `CAIRN_DEPRECATED_ENDPOINTS` turns deprecated ones off',
  },
  { names: ['API_DOCS_URL'], harmless: true, instead: 'the documentation of the API is at `/docs` of the service' },
  {
    names: ['IBD_MODE_UNTIL_BLOCK'],
    harmless: true,
    instead: 'the first load needs no mode: `cairn replay` loads recorded events in bulk',
  },
  {
    names: ['STACKS_NODE_TYPE'],
    agrees: value => value.toUpperCase() === 'L1',
    instead: 'subnets are not supported: only nodes of Stacks itself',
  },
  {
    names: ['STACKS_EVENTS_DIR'],
    instead: 'run `cairn replay FILE…` with the recorded events of that folder',
  },
];

function isSendMany(value: string): boolean {
  return value.endsWith('.send-many-memo');
}

const PREFIXES = /^(STACKS_(API|CORE|BLOCKCHAIN_API)_|PG_|SNP_)/;

/** Messages about settings of the incumbent without effect; `aliases` are the settings that have an effect. */
export function adviseUnused(env: Environment, aliases: ReadonlySet<string>): { warnings: string[]; notes: string[] } {
  const known = new Map(unusedSettings.flatMap(setting => setting.names.map(name => [name, setting] as const)));
  const warnings: string[] = [];
  const notes: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    const setting = known.get(name);
    // Values may be secrets: only the name is logged.
    if (setting && value !== undefined && !setting.agrees?.(value)) {
      (setting.harmless ? notes : warnings).push(`${name} has no effect: ${setting.instead}`);
    } else if (!setting && !aliases.has(name) && PREFIXES.test(name)) {
      warnings.push(`${name} is unknown and has no effect; docs/migrating.md lists the known settings`);
    }
  }
  const { STACKS_CORE_RPC_HOST: rpc, STACKS_CORE_PROXY_HOST: proxy } = env;
  if (rpc !== undefined && proxy !== undefined && rpc !== proxy) {
    warnings.push(
      'STACKS_CORE_RPC_HOST has no effect when STACKS_CORE_PROXY_HOST is set: list both nodes in `CAIRN_NODES` to use both',
    );
  }
  return { warnings, notes };
}
