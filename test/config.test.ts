import { readFileSync } from 'node:fs';
import { parseNetwork } from '@cairn-stacks/codec/network';
import { expect, test } from 'vitest';
import { decideNetwork, devnetAllowed, type Identity } from '../src/app/identity.ts';
import { settingsTable } from '../src/commands/settings.ts';
import { type Config, readConfig, settings } from '../src/config/config.ts';
import { formerNames } from '../src/config/former-names.ts';
import { defaultMemory } from '../src/config/memory.ts';
import type { Environment, Setting } from '../src/config/setting.ts';
import { UsageError } from '../src/errors.ts';
import type { ChainMark } from '../src/node/chain-mark.ts';

const configOf = (env: Environment): Config => readConfig(env).config;
const refusal = (env: Environment) => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
};

test('with no settings at all, everything has a value that works', () => {
  const { config, warnings } = readConfig({});
  expect(warnings).toEqual([]);
  expect(config).toMatchObject({
    apiHost: '127.0.0.1',
    apiPort: 3999,
    observerPort: 3700,
    observerBodyLimit: 500_000_000,
    metricsPort: 9153,
    dataDir: './data',
    databaseUrl: undefined,
    network: undefined,
    nodes: [],
    readUrls: [],
    role: 'all',
    storeAllEvents: false,
    logLevel: 'info',
  });
  expect(Object.isFrozen(config)).toBe(true);
});

test('empty text is the same as unset', () => {
  expect(configOf({ CAIRN_API_PORT: '', DATABASE_URL: '', CAIRN_NODES: '' })).toEqual(configOf({}));
});

test.each([
  [{ CAIRN_API_PORT: '70000' }, 'CAIRN_API_PORT=70000 is not understood: expected a port from 0 to 65535'],
  [{ CAIRN_API_PORT: '39.5' }, 'CAIRN_API_PORT=39.5'],
  [{ STACKS_BLOCKCHAIN_API_PORT: 'x' }, 'STACKS_BLOCKCHAIN_API_PORT=x is not understood'],
  [{ CAIRN_ROLE: 'writer' }, 'CAIRN_ROLE=writer is not understood: expected all, ingest, api'],
  [{ STACKS_API_MODE: 'online' }, 'STACKS_API_MODE=online is not understood: expected all, ingest, api'],
  [{ CAIRN_STORE_ALL_EVENTS: 'maybe' }, 'CAIRN_STORE_ALL_EVENTS=maybe is not understood: expected true or false'],
  [{ CAIRN_NETWORK: 'moon' }, 'CAIRN_NETWORK=moon is not understood: expected mainnet, testnet, signet, devnet'],
  [{ CAIRN_NETWORK: '0x1ffffffff' }, 'CAIRN_NETWORK=0x1ffffffff'],
  [{ CAIRN_NODES: 'http://a,ftp://b' }, 'CAIRN_NODES is not understood'],
  [{ CAIRN_READY_MAX_LAG: '0' }, 'CAIRN_READY_MAX_LAG=0 is not understood: expected whole seconds'],
])('a wrong value is refused by the name the operator used: %o', (env, line) => {
  expect(refusal(env as Environment)).toContain(line);
});

test('several wrong values are one line each', () => {
  expect(refusal({ CAIRN_API_PORT: 'x', CAIRN_ROLE: 'y' }).split('\n')).toHaveLength(2);
});

test('a password never appears in a message', () => {
  expect(refusal({ DATABASE_URL: 'mysql://me:secret@host/db' })).toMatch(/^DATABASE_URL is not understood/);
  expect(refusal({ DATABASE_URL: 'mysql://me:secret@host/db' })).not.toContain('secret');
});

test("the incumbent's names are understood", () => {
  const config = configOf({
    STACKS_CHAIN_ID: '0x00000001',
    STACKS_BLOCKCHAIN_API_HOST: '0.0.0.0',
    STACKS_BLOCKCHAIN_API_PORT: '4000',
    STACKS_CORE_EVENT_HOST: '0.0.0.0',
    STACKS_CORE_EVENT_PORT: '4001',
    STACKS_CORE_EVENT_BODY_LIMIT: '1000000',
    STACKS_CORE_RPC_HOST: 'node',
    STACKS_CORE_RPC_PORT: '20443',
    STACKS_API_MODE: 'readonly',
    STACKS_API_LOG_LEVEL: 'debug',
    PG_HOST: 'db',
    PG_PORT: '5432',
    PG_USER: 'me',
    PG_PASSWORD: 'p@ss',
    PG_DATABASE: 'stacks',
    PG_SSL: 'true',
    PG_CONNECTION_POOL_MAX: '7',
    PG_STATEMENT_TIMEOUT: '60',
    ENABLE_DEPRECATED_ENDPOINTS: 'false',
  });
  expect(config).toMatchObject({
    network: { name: 'mainnet', chainId: 1, mainnet: true },
    apiHost: '0.0.0.0',
    apiPort: 4000,
    observerHost: '0.0.0.0',
    observerPort: 4001,
    observerBodyLimit: 1_000_000,
    nodes: [expect.objectContaining({ url: 'http://node:20443', weight: 1 })],
    role: 'api',
    logLevel: 'debug',
    databaseUrl: 'postgres://me:p%40ss@db:5432/stacks?sslmode=require',
    dbPool: 7,
    queryTimeout: 60,
    deprecatedEndpoints: false,
  });
  expect(configOf({ STACKS_API_MODE: 'writeonly' }).role).toBe('ingest');
  expect(configOf({ STACKS_API_MODE: 'offline' }).role).toBe('rosetta-offline');
  expect(configOf({ STACKS_CORE_RPC_HOST: 'n' }).nodes.map(node => node.url)).toEqual(['http://n:20443']);
  expect(configOf({ PG_CONNECTION_URI: 'postgresql://a/b' }).databaseUrl).toBe('postgresql://a/b');
});

test('own names win over aliases, and a conflict is told without passwords', () => {
  const { config, warnings } = readConfig({
    CAIRN_API_PORT: '1',
    STACKS_BLOCKCHAIN_API_PORT: '2',
    CAIRN_OBSERVER_PORT: '3',
    STACKS_CORE_EVENT_PORT: '3',
    DATABASE_URL: 'postgres://a:secret@b/c',
    PG_HOST: 'other',
  });
  expect(config.apiPort).toBe(1);
  expect(config.databaseUrl).toBe('postgres://a:secret@b/c');
  expect(warnings).toEqual([
    'STACKS_BLOCKCHAIN_API_PORT=2 is ignored: CAIRN_API_PORT=1 wins',
    'PG_HOST is ignored: DATABASE_URL wins',
  ]);
});

test('caches are shares of the memory of the process unless they are set', () => {
  const { config } = readConfig({ CAIRN_MEMORY: '1073741824', CAIRN_ITEM_CACHE_BYTES: '2048' });
  expect(config).toMatchObject({ memory: 1 << 30, responseCacheBytes: 128 << 20, itemCacheBytes: 2048 });
  expect(config.metadataCacheBytes).toBe(32 << 20);
  const megabytes = [1, 3, 64].map(gigabytes => defaultMemory(gigabytes * 2 ** 30) / 2 ** 20);
  expect(megabytes).toEqual([256, 384, 512]);
});

test('a misspelled name is told', () => {
  expect(readConfig({ CAIRN_API_PROT: '1' }).warnings[0]).toContain('CAIRN_API_PROT is not a setting');
});

test('networks are names or chain ids, with address versions for unknown ids', () => {
  const signet = { name: 'signet', chainId: 0x80000001, mainnet: false };
  for (const text of ['signet', '0x80000001', '2147483649']) {
    expect(configOf({ CAIRN_NETWORK: text }).network).toEqual(signet);
  }
  const own = { name: 'custom', chainId: 0x80000001, mainnet: true };
  expect(configOf({ CAIRN_NETWORK: 'mainnet:0x80000001' }).network).toEqual(own);
  expect(parseNetwork('Mainnet')).toEqual({ name: 'mainnet', chainId: 1, mainnet: true });
  expect(parseNetwork('0x80000000')).toEqual({ name: 'testnet', chainId: 0x80000000, mainnet: false });
  expect(parseNetwork('2147483648')?.name).toBe('testnet');
  expect(parseNetwork('0x80000005')).toEqual({ name: 'custom', chainId: 0x80000005, mainnet: false });
  expect(parseNetwork('mainnet:77')).toEqual({ name: 'custom', chainId: 77, mainnet: true });
  expect(configOf({ STACKS_CHAIN_ID: '0x63', CUSTOM_CHAIN_IDS: 'testnet=0x1,mainnet=0x63' }).network).toEqual({
    name: 'custom',
    chainId: 99,
    mainnet: true,
  });
});

const mainnet = parseNetwork('mainnet')!;
const testnet = parseNetwork('testnet')!;
const devnet = parseNetwork('devnet')!;
const decide = (env: Environment, stored?: Identity['network'], reported?: number, logged?: ChainMark, empty = true) =>
  decideNetwork({ config: configOf(env), stored, reported, logged, empty });

test('the network comes from the setting, else the database, else an event or a node, else it is not known yet', () => {
  expect(decide({ CAIRN_NETWORK: 'mainnet' })).toEqual(mainnet);
  expect(decide({ CAIRN_NODES: 'http://n' }, undefined, 1)).toEqual(mainnet);
  expect(decide({ CAIRN_NODES: 'http://n' }, mainnet, undefined)).toEqual(mainnet);
  expect(decide({})).toEqual(devnet);
  expect(decide({ CAIRN_NODES: 'http://n' })).toBeUndefined();
  expect(decide({ DATABASE_URL: 'postgres://x/y' })).toBeUndefined();
  expect(decide({ CAIRN_ROLE: 'ingest' })).toBeUndefined();
  expect(decide({ CAIRN_DEVNET: 'off' })).toBeUndefined();
  // Events that came before the network was known keep the simulated devnet away.
  expect(decide({}, undefined, undefined, undefined, false)).toBeUndefined();
  const nodes = { CAIRN_NODES: 'http://n' };
  expect(decide(nodes, undefined, undefined, { chainId: 1, mainnet: true })).toEqual(mainnet);
  expect(decide(nodes, undefined, 0x80000000, { chainId: 0x80000000, mainnet: false })).toEqual(testnet);
  expect(decide(nodes, undefined, undefined, { chainId: 0x63, mainnet: true })).toEqual(parseNetwork('mainnet:0x63'));
});

test('two chains in one database, and a node of another chain, are refused', () => {
  expect(() => decide({ CAIRN_NETWORK: 'testnet' }, mainnet)).toThrow(
    'this database holds mainnet (chain id 0x00000001), but CAIRN_NETWORK is testnet (chain id 0x80000000)',
  );
  expect(() => decide({ CAIRN_NETWORK: 'testnet' }, devnet)).toThrow('this database holds devnet');
  expect(() => decide({ CAIRN_NETWORK: 'mainnet', CAIRN_NODES: 'http://n' }, undefined, 0x80000000)).toThrow(
    'the node at http://n is on testnet',
  );
  expect(() => decide({ CAIRN_NETWORK: 'mainnet', CAIRN_NODES: 'http://n,http://m' }, undefined, 0x80000000)).toThrow(
    'a node of CAIRN_NODES is on testnet',
  );
  expect(() => decide({ CAIRN_NODES: 'http://n' }, mainnet, 0x80000000)).toThrow('this database holds mainnet');
  const logged = { chainId: 1, mainnet: true };
  expect(() => decide({ CAIRN_NODES: 'http://n' }, undefined, 0x80000000, logged)).toThrow(
    'the node at http://n is on testnet (chain id 0x80000000), but the received events are from mainnet',
  );
});

test('the devnet runs only where its blocks can harm nobody', () => {
  const allowed = (env: Environment, given?: Identity & { empty: boolean }) =>
    devnetAllowed(configOf(env), given, given?.empty ?? true);
  const identity = (network: Identity['network'], simulated: boolean, empty: boolean) => ({
    network,
    simulated,
    empty,
  });
  expect(allowed({})).toBe(true);
  expect(devnetAllowed(configOf({}), undefined, false)).toBe(false);
  expect(allowed({ CAIRN_NETWORK: 'devnet' })).toBe(true);
  expect(allowed({}, identity(devnet, true, false))).toBe(true);
  expect(allowed({}, identity(devnet, false, true))).toBe(true);
  expect(allowed({}, identity(devnet, false, false))).toBe(false);
  expect(allowed({}, identity(testnet, false, true))).toBe(false);
  expect(allowed({}, identity(mainnet, false, false))).toBe(false);
  expect(allowed({ CAIRN_NODES: 'http://n' })).toBe(false);
  expect(allowed({ STACKS_CORE_RPC_HOST: 'n' })).toBe(false);
  expect(allowed({ DATABASE_URL: 'postgres://x/y' })).toBe(false);
  expect(allowed({ PG_HOST: 'db' })).toBe(false);
  expect(allowed({ CAIRN_ROLE: 'ingest' })).toBe(false);
  expect(allowed({ CAIRN_NETWORK: 'testnet' })).toBe(false);
});

test('a node may have a name, a weight, headers of its own and a secret', () => {
  const { nodes } = configOf({
    CAIRN_NODES:
      'http://a:20443/, https://me:p%40ss@b/rpc|weight=2|name=east|header=x-api-key: k%2C1|header=X-More:y|auth=tok%7Cen',
  });
  expect(nodes).toEqual([
    { url: 'http://a:20443', name: '', weight: 1, headers: {}, auth: undefined },
    {
      url: 'https://b/rpc',
      name: 'east',
      weight: 2,
      headers: { authorization: 'Basic bWU6cEBzcw==', 'x-api-key': 'k,1', 'x-more': 'y' },
      auth: 'tok|en',
    },
  ]);
});

test.each([
  'http://a|weight=0',
  'http://a|weight=x',
  'http://a|name=a b',
  'http://a|header=no-value',
  'http://a|header=a:b%0d%0ac:d',
  'http://a|auth=%zz',
  'http://a|colour=red',
  'http://a?x=1',
  'ftp://a',
  'a:20443',
])('the node %s is refused without being repeated', node => {
  const message = refusal({ CAIRN_NODES: `http://b,${node}` });
  expect(message).toContain('CAIRN_NODES is not understood');
  expect(message).not.toContain(node);
});

test('every foreign variable that is read is listed with its setting', () => {
  const aliases = Object.values(settings).flatMap((setting: Setting<unknown>) => setting.aliases ?? []);
  for (const alias of aliases) {
    if (typeof alias === 'string') continue;
    const read = new Set<string>();
    const note = (_: object, name: string | symbol) => {
      read.add(String(name));
      return '1';
    };
    alias.read(new Proxy<Record<string, string>>({}, { get: note }));
    expect([...read].sort()).toEqual([...alias.names].sort());
  }
});

test('a renamed setting is still read under its former name, and the present name wins', () => {
  const former = readConfig({ CAIRN_PIECES_BYTES: '2048', CAIRN_KEEP_ALL: 'true' });
  expect(former.warnings).toEqual([]);
  expect(former.config).toMatchObject({ itemCacheBytes: 2048, storeAllEvents: true });
  const both = readConfig({ CAIRN_PIECES_BYTES: '2048', CAIRN_ITEM_CACHE_BYTES: '4096' });
  expect(both.config.itemCacheBytes).toBe(4096);
  expect(both.warnings).toEqual(['CAIRN_PIECES_BYTES=2048 is ignored: CAIRN_ITEM_CACHE_BYTES=4096 wins']);
});

test('every former name belongs to a setting and is not the name of one', () => {
  const names = Object.values(settings).map(setting => setting.name as string);
  expect(Object.keys(formerNames).filter(name => !names.includes(name))).toEqual([]);
  expect(Object.values(formerNames).filter(name => names.includes(name))).toEqual([]);
});

test('the table of settings in docs/operations.md is the one the schema prints', () => {
  const page = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
  // The formatter pads the cells of the page.
  const cells = (text: string) => text.split('|').map(cell => cell.trim().replace(/^-+$/, '-'));
  const rows = page.split('\n').map(line => cells(line).join('|'));
  const printed = settingsTable()
    .split('\n')
    .map(line => cells(line).join('|'));
  const first = rows.indexOf(printed[0]!);
  expect(rows.slice(first, first + printed.length + 1), 'paste `cairn settings --markdown`').toEqual([...printed, '']);
});
