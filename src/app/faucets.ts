import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { parsePrivateKey } from '@cairn-stacks/codec/keys';
import type { Network } from '@cairn-stacks/codec/network';
import type { Faucets } from '../api/faucets/access.ts';
import { BitcoinFaucet, bitcoinRpc } from '../api/faucets/bitcoin-faucet.ts';
import { type BroadcastResult, StacksFaucet } from '../api/faucets/stacks-faucet.ts';
import type { Config } from '../config/config.ts';
import type { Pool } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import type { Log } from '../log.ts';
import { listPendingNonces } from '../read/principals/nonces-queries.ts';
import type { ConstructionChain } from '../rosetta/construction/chain.ts';
import { callPool } from './node-call.ts';
import type { NodeAccess } from './node-proxy.ts';

export type FaucetOptions = {
  config: Config;
  network: Network;
  nodes: NodeAccess;
  chain: Pick<ConstructionChain, 'nextNonce' | 'estimateFee'>;
  sql: Pool;
  log: Log;
  /** The faucet account of the simulated devnet; undefined if that does not run. */
  devnet?: DevnetFaucet | undefined;
};

/** The account of the simulated devnet that pays for the faucets. */
export type DevnetFaucet = {
  privateKey: string;
  /** Contract of the sBTC that the account gets in the first blocks. */
  sbtcContract: string;
};

/**
 * Opens the enabled faucets; none on mainnet. STX and sBTC are enabled by their settings, by a key, or by the simulated devnet.
 * Throws if a setting that a faucet needs is missing.
 */
export function openFaucets({ config, network, nodes, chain, sql, log, devnet }: FaucetOptions): Faucets {
  const { btcFaucet, stxFaucetKeys } = config;
  const hasKey = stxFaucetKeys.length > 0;
  const stxFaucet = config.stxFaucet ?? (hasKey || devnet !== undefined);
  const sbtcFaucet = config.sbtcFaucet ?? (hasKey || devnet?.sbtcContract === config.sbtcFaucetContract);
  if (network.mainnet) {
    if (hasKey || stxFaucet || sbtcFaucet || btcFaucet) {
      log.warn('faucets are for test networks: none is available on mainnet, and its keys have no effect');
    }
    return {};
  }
  if (hasKey && !stxFaucet && !sbtcFaucet) {
    log.warn('the faucet keys have no effect: CAIRN_STX_FAUCET and CAIRN_SBTC_FAUCET are off');
  }
  if (!stxFaucet && !sbtcFaucet && !btcFaucet) return {};
  if ((stxFaucet || sbtcFaucet) && nodes.pool.nodes.length === 0) {
    log.warn('the faucets cannot send: they need a node in CAIRN_NODES');
  }
  const faucet =
    stxFaucet || sbtcFaucet
      ? new StacksFaucet({
          chainId: network.chainId,
          keys: keysOf(config, devnet),
          access: {
            ...chain,
            pendingNonces: address => listPendingNonces(sql, principalToBytes(address)),
            send: async raw => readBroadcastResult(await nodes.send(raw)),
          },
        })
      : undefined;
  if (btcFaucet && config.bitcoinRpc === undefined) throw new UsageError('CAIRN_BTC_FAUCET needs CAIRN_BITCOIN_RPC');
  const rpc =
    btcFaucet && config.bitcoinRpc !== undefined
      ? bitcoinRpc(config.bitcoinRpc, error => log.warn({ err: error }, 'the Bitcoin node of the faucet failed'))
      : undefined;
  return {
    ...(stxFaucet && faucet && { stx: { faucet, minimumStacking: () => minimumStacking(nodes) } }),
    ...(sbtcFaucet &&
      faucet && {
        sbtc: { faucet, contract: config.sbtcFaucetContract, amount: BigInt(config.sbtcFaucetAmount) },
      }),
    ...(rpc && { btc: new BitcoinFaucet(rpc) }),
  };
}

function keysOf({ stxFaucetKeys }: Config, devnet: DevnetFaucet | undefined) {
  const keys = stxFaucetKeys.length > 0 || !devnet ? stxFaucetKeys : [devnet.privateKey];
  if (keys.length === 0) throw new UsageError('a faucet needs CAIRN_STX_FAUCET_KEYS');
  return keys.map(text => parsePrivateKey(text));
}

/** The minimum amount for stacking now, in micro-STX. */
async function minimumStacking({ pool }: NodeAccess): Promise<bigint> {
  const response = await callPool(pool, { method: 'GET', path: '/v2/pox' });
  const { min_amount_ustx: least } = JSON.parse(response?.body.toString('utf8') ?? '{}') as {
    min_amount_ustx?: unknown;
  };
  if (typeof least !== 'number') throw new Error('no node provides the minimum amount for stacking');
  return BigInt(Math.ceil(least));
}

type Sent = Awaited<ReturnType<NodeAccess['send']>>;

function readBroadcastResult(sent: Sent): BroadcastResult {
  if ('rejection' in sent) return { accepted: false, reason: sent.rejection.reason };
  if (sent.kind === 'accepted') return { accepted: true };
  let body: { reason?: unknown; reason_data?: { expected?: unknown } } = {};
  try {
    body = JSON.parse(sent.response.body.toString('utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const expected = body.reason_data?.expected;
  return {
    accepted: false,
    reason: typeof body.reason === 'string' ? body.reason : 'unknown',
    ...(typeof expected === 'number' && { expectedNonce: expected }),
  };
}
