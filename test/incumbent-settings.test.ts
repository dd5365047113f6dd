import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type FaucetOptions, openFaucets } from '../src/app/faucets.ts';
import { incumbentTable } from '../src/commands/settings.ts';
import { aliasNames, readConfig } from '../src/config/config.ts';
import type { Environment } from '../src/config/setting.ts';
import { unusedSettings } from '../src/config/unused-settings.ts';

/** What the documentation of the Stacks Blockchain API, versions 8 and 9, names. */
const documented = `
  STACKS_API_MODE STACKS_BLOCKCHAIN_API_HOST STACKS_BLOCKCHAIN_API_PORT STACKS_CORE_EVENT_HOST STACKS_CORE_EVENT_PORT
  STACKS_CORE_EVENT_BODY_LIMIT STACKS_API_STORE_RAW_EVENTS STACKS_CORE_RPC_HOST STACKS_CORE_RPC_PORT STACKS_CORE_PROXY_HOST
  STACKS_CORE_PROXY_PORT STACKS_CORE_PROXY_BODY_LIMIT STACKS_API_EXTRA_TX_ENDPOINTS_FILE STACKS_CHAIN_ID CUSTOM_CHAIN_IDS
  SKIP_STACKS_CHAIN_ID_CHECK PG_HOST PG_PORT PG_USER PG_PASSWORD PG_DATABASE PG_SCHEMA PG_SSL PG_IDLE_TIMEOUT PG_MAX_LIFETIME
  PG_CLOSE_TIMEOUT PG_STATEMENT_TIMEOUT PG_CONNECTION_POOL_MAX PG_APPLICATION_NAME PG_CONNECTION_URI PG_PRIMARY_HOST
  PG_PRIMARY_PORT PG_PRIMARY_USER PG_PRIMARY_PASSWORD PG_PRIMARY_DATABASE PG_PRIMARY_SCHEMA PG_PRIMARY_SSL
  PG_PRIMARY_IDLE_TIMEOUT PG_PRIMARY_MAX_LIFETIME PG_PRIMARY_CLOSE_TIMEOUT PG_PRIMARY_STATEMENT_TIMEOUT
  PG_PRIMARY_CONNECTION_POOL_MAX PG_PRIMARY_APPLICATION_NAME PG_PRIMARY_CONNECTION_URI STACKS_BLOCK_DATA_INSERT_CONCURRENCY
  STACKS_ADDRESS_CACHE_SIZE MEMPOOL_STATS_DEBOUNCE_INTERVAL MEMPOOL_STATS_DEBOUNCE_MAX_INTERVAL STACKS_API_WS_PING_INTERVAL
  STACKS_API_WS_PING_TIMEOUT STACKS_API_WS_MESSAGE_TIMEOUT STACKS_API_WS_UPDATE_QUEUE_TIMEOUT
  STACKS_CORE_FEE_ESTIMATOR_ENABLED STACKS_CORE_FEE_ESTIMATION_MODIFIER STACKS_CORE_FEE_PAST_TENURE_FULLNESS_WINDOW
  STACKS_CORE_FEE_PAST_DIMENSION_FULLNESS_THRESHOLD STACKS_CORE_FEE_CURRENT_DIMENSION_FULLNESS_THRESHOLD
  STACKS_CORE_FEE_CURRENT_BLOCK_COUNT_MINIMUM ENABLE_DEPRECATED_ENDPOINTS STACKS_PROFILER_PORT STACKS_PROFILER_HOST
  BNS_IMPORT_DIR TESTNET_SEND_MANY_CONTRACT_ID MAINNET_SEND_MANY_CONTRACT_ID FAUCET_PRIVATE_KEY STACKS_FAUCET_NODE_HOST
  STACKS_FAUCET_NODE_PORT BTC_RPC_HOST BTC_RPC_PORT BTC_RPC_USER BTC_RPC_PW BTC_FAUCET_PK TESTNET_FAUCETS_RATE_LIMIT_ENABLED
  TESTNET_BTC_FAUCET_ENABLED TESTNET_STX_FAUCET_ENABLED TESTNET_SBTC_FAUCET_ENABLED TESTNET_SBTC_FAUCET_ASSET_IDENTIFIER
  TESTNET_SBTC_FAUCET_AMOUNT SNP_EVENT_STREAMING SNP_REDIS_URL SNP_REDIS_STREAM_KEY_PREFIX SNP_BLOCKS_ONLY_STREAMING
  REDIS_NOTIFIER_ENABLED REDIS_QUEUE REDIS_QUEUE_MAXLEN REDIS_URL REDIS_SENTINELS REDIS_SENTINEL_MASTER REDIS_SENTINEL_PASSWORD
  REDIS_SENTINEL_AUTH_PASSWORD REDIS_CLUSTER_NODES REDIS_CLUSTER_PASSWORD REDIS_CONNECTION_TIMEOUT REDIS_COMMAND_TIMEOUT
  REDIS_MAX_RETRIES STACKS_API_ENABLE_ROSETTA STACKS_API_ENABLE_FT_METADATA STACKS_API_TOKEN_METADATA_ERROR_MODE
  STACKS_API_ENABLE_LEGACY_ENDPOINTS API_DOCS_URL IBD_MODE_UNTIL_BLOCK STACKS_NODE_TYPE STACKS_EVENTS_DIR
  STACKS_SHUTDOWN_FORCE_KILL_TIMEOUT STACKS_API_LOG_LEVEL
`
  .trim()
  .split(/\s+/);

const unused = unusedSettings.flatMap(({ names }) => names);
const urls = (env: Environment) => {
  const { config } = readConfig(env);
  return [config.databaseUrl, ...config.readUrls];
};

test('every documented setting is an alias or is advised on, never both', () => {
  const known = [...aliasNames.keys(), ...unused].sort();
  expect(known).toEqual([...documented].sort());
  expect(new Set(known).size).toBe(known.length);
});

test.each(unused)('%s is named at the start, without its value, and stops nothing', name => {
  const { warnings, notes } = readConfig({ [name]: 'some-value' });
  expect([...warnings, ...notes]).toEqual([expect.stringMatching(new RegExp(`^${name} has no effect: .{20,}`))]);
  expect([...warnings, ...notes].join()).not.toContain('some-value');
});

test.each([
  { STACKS_API_STORE_RAW_EVENTS: '1' },
  { PG_SCHEMA: 'public' },
  { STACKS_CORE_FEE_ESTIMATOR_ENABLED: 'false' },
  { SNP_EVENT_STREAMING: '0', REDIS_NOTIFIER_ENABLED: 'false' },
  { MAINNET_SEND_MANY_CONTRACT_ID: 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.send-many-memo' },
  { STACKS_NODE_TYPE: 'L1' },
])('%o requests what is always done: nothing is logged', env => {
  expect(readConfig(env as unknown as Environment)).toMatchObject({ warnings: [], notes: [] });
});

test('what costs something is a warning, the rest is a note', () => {
  const { warnings, notes } = readConfig({ REDIS_NOTIFIER_ENABLED: 'true', PG_IDLE_TIMEOUT: '30' });
  expect(warnings).toEqual([expect.stringContaining('/extended/v1/ws')]);
  expect(notes).toEqual([expect.stringContaining('PG_IDLE_TIMEOUT')]);
});

test('a setting of the incumbent that nobody documented is named too; names of others are not', () => {
  expect(readConfig({ STACKS_API_NEW_THING: '1', STACKS_PRIVATE_KEY: 'x', PGHOST: 'y' }).warnings).toEqual([
    'STACKS_API_NEW_THING is unknown and has no effect; docs/migrating.md lists the known settings',
  ]);
});

test('the proxy target is the pool; a second node beside it is named', () => {
  const proxied = readConfig({
    STACKS_CORE_PROXY_HOST: 'balancer',
    STACKS_CORE_RPC_HOST: 'node',
    STACKS_CORE_RPC_PORT: '1',
  });
  expect(proxied.config.nodes.map(({ url }) => url)).toEqual(['http://balancer:1']);
  expect(proxied.warnings).toEqual([expect.stringContaining('STACKS_CORE_RPC_HOST has no effect beside')]);
  expect(readConfig({ STACKS_CORE_PROXY_PORT: '7' }).config.nodes[0]?.url).toBe('http://127.0.0.1:7');
});

test('a primary beside PG_* makes PG_* a replica', () => {
  const replica = { PG_HOST: 'replica', PG_PORT: '5432', PG_USER: 'me', PG_PASSWORD: 'p,w', PG_DATABASE: 'd' };
  expect(urls(replica)).toEqual(['postgres://me:p%2Cw@replica:5432/d']);
  expect(urls({ ...replica, PG_PRIMARY_HOST: 'primary' })).toEqual([
    'postgres://me:p%2Cw@primary:5432/d',
    'postgres://me:p%2Cw@replica:5432/d',
  ]);
  expect(urls({ PG_CONNECTION_URI: 'postgres://r/d', PG_PRIMARY_CONNECTION_URI: 'postgres://p/d' })).toEqual([
    'postgres://p/d',
    'postgres://r/d',
  ]);
  expect(urls({ ...replica, PG_PRIMARY_HOST: 'replica' })).toHaveLength(1);
  expect(readConfig({ ...replica, PG_PRIMARY_HOST: 'primary' }).warnings).toEqual([]);
});

test('faucets are read from the parts that the incumbent has', () => {
  const { config } = readConfig({
    BTC_RPC_HOST: 'http://bitcoin',
    BTC_RPC_PW: 'p@ss',
    TESTNET_SBTC_FAUCET_ASSET_IDENTIFIER: 'ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT.other-token::sbtc',
    STACKS_API_LOG_LEVEL: 'verbose',
  });
  expect(config).toMatchObject({
    bitcoinRpc: 'http://btc:p%40ss@bitcoin:18443',
    sbtcFaucetContract: 'ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT.other-token',
    logLevel: 'debug',
  });
});

test('faucets that are turned on are a warning on mainnet, no refusal', () => {
  const warnings: string[] = [];
  const log = { warn: (line: string) => void warnings.push(line) };
  const { config } = readConfig({ TESTNET_STX_FAUCET_ENABLED: 'true', STACKS_CHAIN_ID: '0x00000001' });
  const options = { config, network: config.network, log } as unknown as FaucetOptions;
  expect(openFaucets(options)).toEqual({});
  expect(warnings).toEqual([expect.stringContaining('none is available on mainnet')]);
});

test('the table in docs/migrating.md is the one that the code prints', () => {
  const page = readFileSync(new URL('../docs/migrating.md', import.meta.url), 'utf8');
  // The formatter pads the cells of the page.
  const cells = (text: string) => text.split('|').map(cell => cell.trim().replace(/^-+$/, '-'));
  const rows = page.split('\n').map(line => cells(line).join('|'));
  const printed = incumbentTable()
    .split('\n')
    .map(line => cells(line).join('|'));
  const first = rows.indexOf(printed[0]!);
  expect(rows.slice(first, first + printed.length + 1), 'paste `cairn settings --incumbent`').toEqual([...printed, '']);
});
