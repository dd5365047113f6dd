import type { Alias } from './setting.ts';
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

/** PG_HOST and its siblings, with the incumbent's defaults for those left out. */
export const postgresParts: Alias = {
  names: ['PG_HOST', 'PG_PORT', 'PG_USER', 'PG_PASSWORD', 'PG_DATABASE', 'PG_SSL'],
  read(env) {
    if (!['PG_HOST', 'PG_PORT', 'PG_USER', 'PG_DATABASE'].some(name => env[name] !== undefined)) return undefined;
    const part = (name: string, fallback: string) => encodeURIComponent(env[name] ?? fallback);
    const login = `${part('PG_USER', 'postgres')}:${part('PG_PASSWORD', 'postgres')}`;
    const server = `${part('PG_HOST', '127.0.0.1')}:${part('PG_PORT', '5490')}`;
    const ssl = flag.parse(env.PG_SSL ?? '') ? '?sslmode=require' : '';
    return `postgres://${login}@${server}/${part('PG_DATABASE', 'stacks_blockchain_api')}${ssl}`;
  },
};

/** The incumbent knows one node; it becomes a pool of one. */
export const nodeParts: Alias = {
  names: ['STACKS_CORE_RPC_HOST', 'STACKS_CORE_RPC_PORT'],
  read(env) {
    const { STACKS_CORE_RPC_HOST: host, STACKS_CORE_RPC_PORT: rpcPort } = env;
    if (host === undefined && rpcPort === undefined) return undefined;
    return `http://${(host ?? '127.0.0.1').replace(/^https?:\/\//, '')}:${rpcPort ?? '20443'}`;
  },
};

/** STACKS_CHAIN_ID, with the address versions that CUSTOM_CHAIN_IDS gives it. */
export const chainId: Alias = {
  names: ['STACKS_CHAIN_ID', 'CUSTOM_CHAIN_IDS'],
  read(env) {
    const id = env.STACKS_CHAIN_ID;
    const pairs = (env.CUSTOM_CHAIN_IDS ?? '').split(',').map(pair => pair.trim().split('='));
    const kin = pairs.find(pair => pair[1] !== undefined && Number(pair[1]) === Number(id))?.[0];
    return kin === 'mainnet' || kin === 'testnet' ? `${kin}:${id}` : id;
  },
};
