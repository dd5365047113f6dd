import type { Alias, Environment } from './setting.ts';
import { flag } from './setting.ts';

const ROLES = new Map([
  ['default', 'all'],
  ['readonly', 'api'],
  ['writeonly', 'ingest'],
  ['offline', 'rosetta-offline'],
]);

/** The incumbent's modes. */
export const apiMode: Alias = {
  names: ['STACKS_API_MODE'],
  read(env) {
    const mode = env.STACKS_API_MODE;
    return mode === undefined ? undefined : (ROLES.get(mode.toLowerCase()) ?? mode);
  },
};

const LEVELS = new Map([
  ['http', 'debug'],
  ['verbose', 'debug'],
  ['silly', 'trace'],
]);

/** Log levels; those that Cairn lacks are mapped to the nearest one. */
export const logLevel: Alias = {
  names: ['STACKS_API_LOG_LEVEL'],
  read(env) {
    const level = env.STACKS_API_LOG_LEVEL;
    return level === undefined ? undefined : (LEVELS.get(level.toLowerCase()) ?? level);
  },
};

const SERVER_PARTS = ['CONNECTION_URI', 'HOST', 'PORT', 'USER', 'PASSWORD', 'DATABASE', 'SSL'] as const;
const POSTGRES_NAMES = ['PG_', 'PG_PRIMARY_'].flatMap(prefix => SERVER_PARTS.map(part => prefix + part));

/** The servers of PG_* and PG_PRIMARY_*; parts missing from the primary are taken from PG_*. */
function postgresServers(env: Environment): { plain: string | undefined; primary: string | undefined } {
  const given = Object.fromEntries(POSTGRES_NAMES.map(name => [name, env[name]]));
  const primary = Object.fromEntries(
    SERVER_PARTS.map(part => [`PG_${part}`, given[`PG_PRIMARY_${part}`] ?? given[`PG_${part}`]]),
  );
  const hasPrimary = ['CONNECTION_URI', 'HOST', 'PORT', 'USER', 'DATABASE'].some(
    part => given[`PG_PRIMARY_${part}`] !== undefined,
  );
  // The URI of the replica does not apply to a primary that is given in parts.
  if (given.PG_PRIMARY_CONNECTION_URI === undefined && hasPrimary) primary.PG_CONNECTION_URI = undefined;
  return { plain: postgresUrl(given), primary: hasPrimary ? postgresUrl(primary) : undefined };
}

/** PG_HOST and related variables as one URL, with the incumbent's defaults for missing ones. */
function postgresUrl(parts: Environment): string | undefined {
  if (parts.PG_CONNECTION_URI !== undefined) return parts.PG_CONNECTION_URI;
  if (!['PG_HOST', 'PG_PORT', 'PG_USER', 'PG_DATABASE'].some(name => parts[name] !== undefined)) return undefined;
  const part = (name: string, fallback: string) => encodeURIComponent(parts[name] ?? fallback);
  const login = `${part('PG_USER', 'postgres')}:${part('PG_PASSWORD', 'postgres')}`;
  const server = `${part('PG_HOST', '127.0.0.1')}:${part('PG_PORT', '5490')}`;
  const ssl = flag.parse(parts.PG_SSL ?? '') ? '?sslmode=require' : '';
  return `postgres://${login}@${server}/${part('PG_DATABASE', 'stacks_blockchain_api')}${ssl}`;
}

/** The server for writes: PG_PRIMARY_* if set, else PG_*. */
export const primaryServer: Alias = {
  names: POSTGRES_NAMES,
  read(env) {
    const { plain, primary } = postgresServers(env);
    return primary ?? plain;
  },
};

/** If PG_PRIMARY_* is set, PG_* is a replica. */
export const replicaServer: Alias = {
  names: POSTGRES_NAMES,
  read(env) {
    const { plain, primary } = postgresServers(env);
    return primary === undefined || plain === primary ? undefined : plain?.replaceAll(',', '%2C');
  },
};

/** The incumbent has one node, and optionally another one for proxied requests; Cairn makes it a pool of one node. */
export const nodeParts: Alias = {
  names: ['STACKS_CORE_PROXY_HOST', 'STACKS_CORE_PROXY_PORT', 'STACKS_CORE_RPC_HOST', 'STACKS_CORE_RPC_PORT'],
  read(env) {
    const { STACKS_CORE_PROXY_HOST: proxyHost, STACKS_CORE_PROXY_PORT: proxyPort } = env;
    const { STACKS_CORE_RPC_HOST: rpcHost, STACKS_CORE_RPC_PORT: rpcPort } = env;
    const host = proxyHost ?? rpcHost;
    const port = proxyPort ?? rpcPort;
    if (host === undefined && port === undefined) return undefined;
    return `http://${(host ?? '127.0.0.1').replace(/^https?:\/\//, '')}:${port ?? '20443'}`;
  },
};

/** STACKS_CHAIN_ID, with the address versions that CUSTOM_CHAIN_IDS gives it. */
export const chainId: Alias = {
  names: ['STACKS_CHAIN_ID', 'CUSTOM_CHAIN_IDS'],
  read(env) {
    const id = env.STACKS_CHAIN_ID;
    const pairs = (env.CUSTOM_CHAIN_IDS ?? '').split(',').map(pair => pair.trim().split('='));
    const addresses = pairs.find(pair => pair[1] !== undefined && Number(pair[1]) === Number(id))?.[0];
    return addresses === 'mainnet' || addresses === 'testnet' ? `${addresses}:${id}` : id;
  },
};

/** The Bitcoin node of the faucet, with the incumbent's defaults for missing parts. */
export const bitcoinParts: Alias = {
  names: ['BTC_RPC_HOST', 'BTC_RPC_PORT', 'BTC_RPC_USER', 'BTC_RPC_PW'],
  read(env) {
    const { BTC_RPC_HOST: host, BTC_RPC_PORT: port, BTC_RPC_USER: user, BTC_RPC_PW: password } = env;
    if ([host, port, user, password].every(part => part === undefined)) return undefined;
    const [, scheme = 'http', address = '127.0.0.1'] = /^(?:(https?):\/\/)?(.+?)\/*$/.exec(host ?? '') ?? [];
    const login = `${encodeURIComponent(user ?? 'btc')}:${encodeURIComponent(password ?? 'btc')}`;
    return `${scheme}://${login}@${address}:${port ?? '18443'}`;
  },
};

/** The token of the sBTC faucet, written `contract::asset`. */
export const sbtcAsset: Alias = {
  names: ['TESTNET_SBTC_FAUCET_ASSET_IDENTIFIER'],
  read: env => env.TESTNET_SBTC_FAUCET_ASSET_IDENTIFIER?.split('::')[0],
};
